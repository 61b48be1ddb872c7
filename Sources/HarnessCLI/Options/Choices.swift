// What options take that other parts have words for.
public import ArgumentParser
public import Harness
public import ScanTools
public import WiFi

extension DecodedInput.Kind: ExpressibleByArgument {}
extension JoinDaemon: ExpressibleByArgument {}
extension ReportOrder: ExpressibleByArgument {}
extension ViewKind: ExpressibleByArgument {}
