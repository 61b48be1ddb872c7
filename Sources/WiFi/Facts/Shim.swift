extension Channel {
  init(elements: ElementList, frequencyKHz: Int) { self.init(frequencyKHz: frequencyKHz) }
}
public enum Generation: String, CaseIterable, Hashable, Sendable {
  case wifi4 = "Wi-Fi 4"
  public var number: Int? { 4 }
  public var summary: String { rawValue }
  init?(elements: ElementList, band: Band?) { return nil }
}
extension ElementList { var apName: String? { nil } }
