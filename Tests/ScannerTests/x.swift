import Testing
@testable import Scanner
@Suite struct Placeholder { @Test func t() {} }
