//! Tells the linker on macOS that the interpreter provides some symbols at run time.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
