import DaemonControl
import ScanTools
import Scanner
import WiFi

/// What `doctor` found.
struct Examination {
  var adapters: [Adapter] = []
  var interfaces: [Interface] = []
  var regulatory: [RegulatoryDomain] = []
  var switches: [RadioReport.Switch] = []
  var drivers: [String: String] = [:]
  var downInterfaces: [String] = []
  /// The access points that interfaces are joined to.
  var stations: [String: Station] = [:]
  var hasPrivilege = false
  var problem: String?

  static func make() async throws(Failure) -> Examination {
    var result = Examination()
    result.hasPrivilege = SystemFiles.hasNetAdmin
    result.switches = RFKill.switches()
    let scanner = try SourceOptions.scanner()
    do throws(ScanError) {
      // The kernel lists the newest first.
      result.adapters = try await scanner.adapters().sorted { $0.wiphy < $1.wiphy }
      result.interfaces = try await scanner.interfaces().sorted { ($0.wiphy, $0.index ?? 0) < ($1.wiphy, $1.index ?? 0) }
      result.regulatory = try await scanner.regulatoryDomains()
    } catch {
      result.problem = "\(error)"
    }
    for interface in result.interfaces where interface.type == .station {
      guard let name = interface.name, let index = interface.index else { continue }
      result.stations[name] = try? await scanner.stations(interfaceIndex: index).first
    }
    for name in result.interfaces.compactMap(\.name) {
      result.drivers[name] = SystemFiles.link("/sys/class/net/\(name)/device/driver")?.split(separator: "/").last.map(String.init)
      if let flags = SystemFiles.line("/sys/class/net/\(name)/flags"), let bits = UInt32(flags.dropFirst(2), radix: 16),
        bits & 1 == 0
      {
        result.downInterfaces.append(name)
      }
    }
    return result
  }

  /// Interfaces that can scan, once nothing keeps them from it.
  private var scanning: [Interface] { interfaces.filter { $0.type == .station && $0.name != nil } }

  var status: ExitStatus {
    if problem != nil || scanning.allSatisfy({ downInterfaces.contains($0.name ?? "") }) { return .unavailable }
    return hasPrivilege ? .success : .noPermission
  }

  /// What to do, a sentence each; empty where nothing is to be done.
  var advice: [String] {
    var advice: [String] = []
    if let problem { advice.append(problem) }
    if problem == nil, scanning.isEmpty {
      advice.append(ScanError(.noAdapter).description)
    }
    for item in switches where item.isHardBlocked {
      advice.append("\(item.name) is switched off by a switch on the device: switch it on there.")
    }
    for item in switches where item.isSoftBlocked && !item.isHardBlocked {
      advice.append("\(item.name) is switched off by rfkill: `rfkill unblock wifi`.")
    }
    for interface in scanning where downInterfaces.contains(interface.name ?? "") {
      advice.append(ScanError(.interfaceDown, interface: interface.name).description)
    }
    if !hasPrivilege {
      advice.append("This user may not start scans. \(PrivilegedStart.advice) `--cached` works without.")
    }
    if regulatory.first?.alpha2 == "00" {
      advice.append("The regulatory domain is the world's, which allows least: `iw reg set CC` with your country allows more channels.")
    }
    return advice
  }

  var text: String {
    var text = ""
    for adapter in adapters {
      text += "\(adapter.name)\n"
      for interface in interfaces where interface.wiphy == adapter.wiphy {
        let name = interface.name ?? "(no interface)"
        let state = downInterfaces.contains(name) ? "down" : "up"
        let driver = drivers[name].map { ", driver \($0)" } ?? ""
        text += "  \(name): \(interface.type.name), \(state)\(driver)\n"
        if let station = stations[name] { text += "    joined to \(station.summary)\n" }
      }
      for item in switches where item.name == adapter.name {
        text += "  rfkill: \(item.isHardBlocked ? "blocked by a switch" : item.isSoftBlocked ? "blocked" : "not blocked")\n"
      }
      for band in Band.allCases {
        let channels = adapter.frequencies.filter { Band(frequencyKHz: Int($0.frequencyKHz)) == band }
        if channels.isEmpty { continue }
        let usable = channels.filter { !$0.isDisabled }
        let passive = usable.count { $0.isNoIR || $0.needsRadarDetection }
        text += "  \(band.rawValue): \(usable.isEmpty ? "none" : "\(usable.count)") of \(channels.count) channels may be used"
        text += passive > 0 ? ", \(passive) only passively\n" : "\n"
        text += RegulatoryReport.text(of: adapter, in: band)
      }
      let abilities: [(Bool, String)] = [
        (adapter.canFlush, "--flush"), (adapter.canScanWithLowPriority, "--low-priority"),
        (adapter.canRandomizeMAC, "--random-mac"), (adapter.canSetDwell, "--dwell"), (adapter.canAbortScan, "abort"),
      ]
      let able = abilities.filter(\.0).map(\.1)
      text += "  scans: \(adapter.maximumScanSSIDs.map { "up to \($0) names" } ?? "any names")"
      text += able.isEmpty ? "\n" : "; \(able.joined(separator: ", "))\n"
    }
    for domain in regulatory {
      text += RegulatoryReport.text(of: domain)
    }
    text += "CAP_NET_ADMIN: \(hasPrivilege ? "yes" : "no")\n"
    let advice = advice
    text += advice.isEmpty ? "Everything is ready: `wifi-harness scan`.\n" : "\n" + advice.map { "→ \($0)\n" }.joined()
    return text
  }

  var json: [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("schema", "wifi-harness/doctor/1")
      fields.field("ready", status == .success)
      fields.field("canStartScans", hasPrivilege)
      fields.objects("adapters", adapters) { $1.describe(into: &$0) }
      fields.objects("interfaces", interfaces) { fields, interface in
        interface.describe(into: &fields)
        if let name = interface.name {
          fields.field("up", !downInterfaces.contains(name))
          if let driver = drivers[name] { fields.field("driver", driver) }
          if let station = stations[name] { fields.object("station") { station.describe(into: &$0) } }
        }
      }
      fields.objects("rfkill", switches) { fields, item in
        fields.field("name", item.name)
        fields.field("softBlocked", item.isSoftBlocked)
        fields.field("hardBlocked", item.isHardBlocked)
      }
      fields.objects("regulatoryDomains", regulatory) { $1.describe(into: &$0) }
      fields.field("advice", advice)
    }
  }
}
