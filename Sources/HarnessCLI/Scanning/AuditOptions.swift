import ArgumentParser
import ScanTools
import WiFi

/// Whether and how what a scan heard is audited.
struct AuditOptions: ParsableArguments {
  @Flag(help: "List what makes networks weak or doubtful, instead of the networks.")
  var audit = false

  @Option(
    help: ArgumentHelp(
      "With --audit: check only these rules: \(AuditRule.allCases.map(\.rawValue).joined(separator: ", ")). Separated by commas, repeatable.",
      valueName: "list"), completion: .list(AuditRule.allCases.map(\.rawValue)))
  var rules: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --audit: compare with what is known: a scan, a recording or a capture to be trusted, or the output of known list --format json.",
      valueName: "file"), completion: .file())
  var known: String?

  func validate() throws {
    if !audit {
      if !rules.isEmpty { throw ValidationError("--rules goes with --audit.") }
      if known != nil { throw ValidationError("--known goes with --audit.") }
    }
    _ = try chosen()
  }

  /// What to look for.
  func chosen() throws -> Set<AuditRule> {
    if rules.isEmpty { return Set(AuditRule.allCases) }
    return Set(
      try rules.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { text in
        guard let rule = AuditRule(rawValue: text.lowercased()) else {
          throw ValidationError("--rules \(text): choose from \(AuditRule.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return rule
      })
  }

  /// What is known.
  func baseline() async throws(Failure) -> AuditBaseline {
    guard let known else { return AuditBaseline() }
    if known != "-", let bytes = try? Files.read(known, limit: 16 << 20) {
      do throws(AuditBaseline.Failure) {
        if let baseline = try AuditBaseline(knownNetworks: bytes) { return baseline }
      } catch {
        throw Failure(.dataError, "\(PrintableText.escape(Array(known.utf8))), \(error).")
      }
    }
    return AuditBaseline(try await DiffCommand.summary(of: known, BSSQuery()).audited)
  }

  /// Who was assigned an address, where the list of the IEEE is installed.
  static func maker() -> ((MACAddress) -> String?)? {
    guard let bytes = try? Files.read(AddressRegistry.path, limit: 64 << 20) else { return nil }
    let registry = AddressRegistry(bytes)
    return { registry.maker(of: $0) }
  }
}
