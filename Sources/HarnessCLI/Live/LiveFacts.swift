import Models
import ScanTools
import Scanner
import WiFi

/// The interface that a view shows, as soon as it is known.
final class LiveInterface {
  var name: String?

  init(_ name: String?) { self.name = name }
}

/// Slow facts over a real adapter: makers from the list of Debian's package `ieee-data`, the survey from the driver.
final class LiveFacts: SlowFactSource {
  private let scanner: Scanner?
  private let interface: LiveInterface
  private var registry: AddressRegistry?

  init(scanner: Scanner?, interface: LiveInterface) {
    self.scanner = scanner
    self.interface = interface
  }

  func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String] {
    if registry == nil { registry = try await Self.read() }
    var makers: [MACAddress: String] = [:]
    for address in addresses { makers[address] = registry?.maker(of: address) }
    return makers
  }

  /// Reads the list beside the view, which continues meanwhile.
  @concurrent
  private static func read() async throws(SlowFactProblem) -> AddressRegistry {
    do throws(FileFailure) { return try AddressRegistry.installed() } catch {
      throw SlowFactProblem(
        error.isNoInput ? "The list of makers is not installed: apt install ieee-data." : "The list of makers: \(error).")
    }
  }

  func survey() async throws(SlowFactProblem) -> [Survey] {
    try await ask { (scanner, index) throws(ScanError) in try await scanner.survey(interfaceIndex: index) } ?? []
  }

  func station() async throws(SlowFactProblem) -> Station? {
    try await ask { (scanner, index) throws(ScanError) in try await scanner.stations(interfaceIndex: index).first } ?? nil
  }

  private func ask<Answer>(_ question: (Scanner, UInt32) async throws(ScanError) -> Answer) async throws(SlowFactProblem) -> Answer? {
    guard let scanner else { throw SlowFactProblem("There is no adapter.") }
    do throws(ScanError) {
      let name = interface.name
      guard let index = try await scanner.interfaces().first(where: { name == nil || $0.name == name })?.index else { return nil }
      return try await question(scanner, index)
    } catch {
      throw SlowFactProblem("\(error)")
    }
  }
}
