"""What the chapters' cells need besides the companion: live source, figures, glued values."""

from course.figures import heatmap, label, use_style
from course.notebook import glue, show_source

__all__ = ["glue", "heatmap", "label", "show_source", "use_style"]
