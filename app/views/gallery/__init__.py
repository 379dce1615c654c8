"""The gallery: reference designs evaluated, with what others published of them."""
