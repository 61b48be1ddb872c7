public import Models
import WiFi

/// The channels of each band from the least busy on, for a program.
public struct ChannelsReport: Hashable, Sendable {
  /// The version of the JSON that ``json(pretty:)`` writes; its schema is `schemas/channels-1.json`.
  public static let schema = "wifi-harness/channels/1"

  /// The name of the interface, or of what stands for one.
  public var interface: String
  /// The bands of which something is known.
  public var bands: [ChannelAdvice]

  /// Makes a report of its parts.
  public init(interface: String, bands: [ChannelAdvice]) {
    self.interface = interface
    self.bands = bands
  }

  /// One JSON object, with a line end.
  public func json(pretty: Bool = false) -> [UInt8] {
    FieldWriter.bytes(pretty ? .prettyJSON : .json) { fields in
      fields.field("schema", Self.schema)
      fields.field("interface", interface)
      fields.objects("bands", bands) { fields, advice in
        fields.field("band", advice.band.rawValue)
        fields.objects("channels", advice.choices) { describe($1, into: &$0) }
      }
    }
  }

  private func describe(_ choice: ChannelAdvice.Choice, into fields: inout FieldWriter) {
    fields.field("channel", choice.number)
    fields.field("cost", choice.cost)
    if let busyPercent = choice.busyPercent { fields.field("busyPercent", busyPercent) }
    fields.field("accessPointCount", choice.accessPointCount)
    if let strongestMBm = choice.strongestMBm { fields.field("strongestDBm", hundredths: strongestMBm) }
    fields.field("fromOtherChannelsCount", choice.otherChannelCount)
    fields.field("needsRadarDetection", choice.needsRadarDetection)
    fields.field("isPreferredForScanning", choice.isPreferredForScanning)
  }
}
