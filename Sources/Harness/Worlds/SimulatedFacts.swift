import Determinism
public import Models
import Scanner
import Simulator
public import WiFi

/// Slow facts of a simulated world, each after a time that is drawn from the seed.
///
/// Makers are made up, the same for each first three bytes. The survey is that of the simulated kernel, where there is
/// one.
public final class SimulatedFacts: SlowFactSource {
  /// How long an answer takes at least and at most.
  public var delay: ClosedRange<Duration> = .milliseconds(50) ... .milliseconds(1500)
  /// Why no fact is available; `nil` where they are.
  public var problem: SlowFactProblem?

  private static let names = [
    "Acme Radio", "Blob Networks", "Example Wireless", "Nacho Devices", "Sample Semiconductor", "Test Equipment Works",
  ]

  private let clock: any Clock<Duration>
  private let scanner: Scanner?
  private var random: RandomStream

  /// Facts of a world, on the time of `clock`.
  public init(seed: UInt64, world: (any ScenarioWorld)?, clock: any Clock<Duration>) {
    self.clock = clock
    random = RandomStream(seed: seed, name: "slow facts")
    scanner = (world as? KernelScenarioWorld).map { Scanner(link: $0.kernel.link()) }
  }

  public func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String] {
    try await wait()
    var makers: [MACAddress: String] = [:]
    for address in addresses where !address.isLocallyAdministered {
      makers[address] = Self.names[Int((UInt64(address.oui) &* 0x9E37_79B9) >> 8 % UInt64(Self.names.count))]
    }
    return makers
  }

  public func survey() async throws(SlowFactProblem) -> [Survey] {
    try await wait()
    guard let scanner else { throw SlowFactProblem("This world has no adapter that counts how busy channels are.") }
    do throws(ScanError) {
      guard let index = try await scanner.interfaces().lazy.compactMap(\.index).first else { return [] }
      return try await scanner.survey(interfaceIndex: index)
    } catch {
      throw SlowFactProblem("\(error)")
    }
  }

  public func station() async throws(SlowFactProblem) -> Station? {
    guard let scanner else { return nil }
    do throws(ScanError) {
      guard let index = try await scanner.interfaces().lazy.compactMap(\.index).first else { return nil }
      return try await scanner.stations(interfaceIndex: index).first
    } catch {
      throw SlowFactProblem("\(error)")
    }
  }

  private func wait() async throws(SlowFactProblem) {
    let span = UInt64((delay.upperBound - delay.lowerBound).wholeMilliseconds + 1)
    let time = delay.lowerBound + .milliseconds(Int64(random.next(below: span)))
    do { try await clock.sleep(for: time) } catch { throw SlowFactProblem("Cancelled.") }
    if let problem { throw problem }
  }
}
