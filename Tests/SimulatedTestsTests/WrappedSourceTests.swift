import FoundationEssentials
import Testing

@testable import SimulatedTests

/// What is put around the tests of a source file.
@Suite struct WrappedSourceTests {
  static let cases: [(source: String, wrapped: String)] = [
    ("import Testing\n@Test func a() {}", "import Testing; import SimulatedSuitesSupport\n@Test(.suiteWrapped) func a() {}"),
    ("import Testing\n@Test() func a() {}", "import Testing; import SimulatedSuitesSupport\n@Test(.suiteWrapped) func a() {}"),
    (
      "import Testing\n@Test(\"a, (b)\") func a() {}",
      "import Testing; import SimulatedSuitesSupport\n@Test(\"a, (b)\", .suiteWrapped) func a() {}"
    ),
    (
      "import Testing\n@Test(#\"a \"b\"\"#, .tags(.one)) func a() {}",
      "import Testing; import SimulatedSuitesSupport\n@Test(#\"a \"b\"\"#, .suiteWrapped, .tags(.one)) func a() {}"
    ),
    (
      "import Testing\n@Test(arguments: [1, 2]) func a(b: Int) {}",
      "import Testing; import SimulatedSuitesSupport\n@Test(.suiteWrapped, arguments: [1, 2]) func a(b: Int) {}"
    ),
    (
      "import Testing\n@Testing.Test @MainActor func a() {}",
      "import Testing; import SimulatedSuitesSupport\n@Testing.Test(.suiteWrapped) @MainActor func a() {}"
    ),
    // The parenthesis is no argument of the attribute.
    ("import Testing\n@Test (a)", "import Testing; import SimulatedSuitesSupport\n@Test(.suiteWrapped) (a)"),
    (
      "import XCTest\nfinal class A: XCTestCase, B { class func c() {} }",
      "import XCTest; import SimulatedSuitesSupport\nfinal class A: SuiteWrappedTestCase, B { class func c() {} }"
    ),
    (
      "@preconcurrency import XCTest\nclass A<T>: XCTest.XCTestCase where T: B {}",
      "@preconcurrency import XCTest; import SimulatedSuitesSupport\nclass A<T>: SuiteWrappedTestCase where T: B {}"
    ),
    ("import Other\nclass A: XCTestCase {}", "import SimulatedSuitesSupport; import Other\nclass A: SuiteWrappedTestCase {}"),
  ]

  @Test(arguments: cases) func `a test is wrapped`(source: String, wrapped: String) {
    #expect(WrappedSource(source).text == wrapped)
    #expect(WrappedSource(source).isChanged)
  }

  static let others = [
    "// @Test func a() {}",
    "/* @Test /* @Test */ @Test */ let a = 1",
    "let a = \"@Test func a() {}\"",
    "let a = \"\\(b(\"@Test\")) @Test\"",
    "let a = \"\"\"\n  @Test \"quoted\" class B: XCTestCase {}\n  \"\"\"",
    "let a = #\"\\(\"@Test\")\"#",
    "extension XCTestCase { func a(b: XCTestCase) {} }",
    "class A: B { var c: XCTestCase? }",
    "@Tests func a() {}",
    "func a() { let b: [XCTestCase.Type] = [] }",
  ]

  @Test(arguments: others) func `what is no test stays as it is`(source: String) {
    #expect(WrappedSource(source).text == source)
    #expect(!WrappedSource(source).isChanged)
  }

  @Test(arguments: ["let a = \"\\(", "/* open", "let a = \"\"\"", "`", "#\"", "@", "@Test(", "class", "import"])
  func `what ends early is read to its end`(source: String) {
    #expect(WrappedSource(source).text.hasSuffix(source.suffix(1) == "(" ? "" : String(source.suffix(1))))
  }

  @Test func `all lines keep their numbers`() {
    let source = "// A header.\n\nimport XCTest\n\n@Test\nfunc a() {}\nclass B: XCTestCase {\n}\n"
    let lines = WrappedSource(source).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == source.split(separator: "\n", omittingEmptySubsequences: false).count)
    #expect(lines[4] == "@Test(.suiteWrapped)" && lines[6] == "class B: SuiteWrappedTestCase {")
  }

  @Test func `paths of a manifest are those of the package`() {
    let with = Shadow.addition(to: #".package(name: "A", path: "../A")"#, original: "/p", support: "/s")
    #expect(with.contains(#".package(path: "/p/" + path)"#))
    let without = Shadow.addition(to: #".package(url: "https://example.org/A", from: "1.0.0")"#, original: "/p", support: "/s")
    #expect(!without.contains("kind"))
    #expect(without.contains(#".package(path: "/s")"#))
    let strange = Shadow.addition(to: "", original: "/p", support: #"/a "b"\c"#)
    #expect(strange.contains(#".package(path: "/a \"b\"\\c")"#))
  }

  @Test func `a folder without a package is refused in a sentence`() {
    let failure = #expect(throws: Failure.self) {
      try Shadow(of: .init(filePath: "/nowhere"), library: .init(filePath: "/"))
    }
    #expect(failure?.status == 66)
    #expect(failure?.description == "there is no package in /nowhere: give the folder that has a Package.swift.")
  }
}
