"""Compiles what asks for libnl, ncurses, libyaml or libzstd as it is where they are missing, beside the debug build.

Only the modules that ask for one differ there, and what imports one of them is compiled against it as it is there.
"""
import re

from lib.checking import ROOT, check, debug_build, folder, run

compiler, build = debug_build()
# SwiftPM makes it of the name of the folder that the package is in.
package = re.search(r'"-module-name","Scanner",.*?"-package-name","(\w+)"', (ROOT / ".build/debug.yaml").read_text())[1]
features = re.findall(r'enableUpcomingFeature\("(\w+)"\)', (ROOT / "Package.swift").read_text())
options = [word for feature in features for word in ("-enable-upcoming-feature", feature)]
for map in *build.glob("C*.build/module.modulemap"), *ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap"):
    options += ["-Xcc", f"-fmodule-map-file={map}"]
place = folder()
# In the order in which they import each other.
modules = ["Scanner", "ScanTools", "Harness", "HarnessCLI"]
asking = {path.relative_to(ROOT / "Sources").parts[0] for path in ROOT.glob("Sources/**/*.swift")
          if re.search(r"^ *#if .*canImport\(C(Netlink|Ncurses|YAML|Zstd)\)", path.read_text(), re.M)}
check(f"{', '.join(modules)} ask for a library", asking == set(modules), asking)
for module in modules:
    done = run(compiler, "-swift-version", "6", "-package-name", package, "-parse-as-library", "-warnings-as-errors",
               "-strict-memory-safety", *options, "-I", place, "-I", build / "Modules", "-module-name", module,
               "-emit-module", "-emit-module-path", place / f"{module}.swiftmodule",
               *ROOT.glob(f"Sources/{module}/**/*.swift"), stdout=-1, stderr=-2, timeout=600)
    check(f"{module} compiles without them", done.returncode == 0, done.stdout[:3000])
