"""What the chapters' cells need besides the companion: live source, figures, glued values."""

from course import figures, labels
from course.figures import heatmap, label, use_style
from course.notebook import glue, show_source

__all__ = ["figures", "glue", "heatmap", "label", "labels", "show_source", "use_style"]
