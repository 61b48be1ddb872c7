/// Where on the Earth something was heard (WGS 84).
public struct Position: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitudeDegrees: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitudeDegrees: Double
  /// Metres above the ellipsoid, where the receiver knows.
  public var altitudeM: Double?
  /// How far off it may be in any direction on the ground in metres, where the receiver reports it.
  public var accuracyM: Double?

  /// Makes a position; `nil` where there is no such place.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double, altitudeM: Double? = nil, accuracyM: Double? = nil) {
    guard (-90...90).contains(latitudeDegrees), (-180...180).contains(longitudeDegrees) else { return nil }
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
    self.altitudeM = altitudeM.flatMap { $0.magnitude < 1e8 ? $0 : nil }
    self.accuracyM = accuracyM.flatMap { (0..<1e8).contains($0) ? $0 : nil }
  }

  /// The places after the point: of degrees, some 0.1 mm, and of metres.
  private static let (degreePlaces, metrePlaces) = (9, 3)

  /// Latitude, longitude, altitude and accuracy as decimal numbers; empty where they are not known.
  public var fields: [String] {
    [
      FixedPlaces.text(latitudeDegrees, places: Self.degreePlaces), FixedPlaces.text(longitudeDegrees, places: Self.degreePlaces),
      altitudeM.map { FixedPlaces.text($0, places: Self.metrePlaces) } ?? "",
      accuracyM.map { FixedPlaces.text($0, places: Self.metrePlaces) } ?? "",
    ]
  }
}

extension Position: Describable {
  /// Writes `latitudeDegrees`, `longitudeDegrees`, and `altitudeM` and `accuracyM` where they are known.
  public func describe(into fields: inout FieldWriter) {
    fields.field("latitudeDegrees", latitudeDegrees, places: Self.degreePlaces)
    fields.field("longitudeDegrees", longitudeDegrees, places: Self.degreePlaces)
    if let altitudeM { fields.field("altitudeM", altitudeM, places: Self.metrePlaces) }
    if let accuracyM { fields.field("accuracyM", accuracyM, places: Self.metrePlaces) }
  }

  /// Reads what ``describe(into:)`` wrote.
  package init?(_ value: JSONValue) {
    guard let latitude = value["latitudeDegrees"]?.number, let longitude = value["longitudeDegrees"]?.number else { return nil }
    self.init(
      latitudeDegrees: latitude, longitudeDegrees: longitude, altitudeM: value["altitudeM"]?.number, accuracyM: value["accuracyM"]?.number)
  }
}

/// What knows where the machine is.
public protocol PositionSource: AnyObject {
  /// Where the machine is now; `nil` where it is unknown.
  func position() async -> Position?
}
