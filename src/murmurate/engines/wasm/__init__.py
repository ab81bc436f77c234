"""Engine 'wasm' and the WebAssembly modules of pages.

A layout becomes a module in these steps: `module_compiler` writes texts, `target` lowers them,
`object_code` compiles an object, with the functions of `plain_math`, and `module_file` links it.
`module_memory` lays out its memory. `page_modules` and `start_module` are the modules of a page;
`wasm_engine` runs modules in wasmtime.
"""
