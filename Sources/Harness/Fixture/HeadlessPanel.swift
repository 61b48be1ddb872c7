public import Models

/// Shows no rows and keeps those it would show: the list of a test.
///
/// Where a `Panel` goes through its rows, this looks them up: a difference costs the same in a list of ten and of ten
/// thousand. Rows stand in chunks of at most 32, and of each row it is known in which.
public struct HeadlessPanel {
  private struct Chunk {
    let number: Int
    var ids: [PanelRow.ID]
    var rows: [PanelRow]
  }

  private static var capacity: Int { 32 }

  private var top: [PanelRow] = []
  private var chunks: [Chunk] = []
  /// The number of the chunk of each row of section *networks*.
  private var numbers: [PanelRow.ID: Int] = [:]
  private var chunkCount = 0
  /// A list in which some row stands twice, which only a plain panel tolerates.
  private var plain: Panel?

  /// A list without rows.
  public init() {}

  /// The rows; costs time in proportion to their number.
  public var panel: Panel {
    if let plain { return plain }
    var panel = Panel()
    panel[.top] = top
    panel[.networks] = chunks.count == 1 ? chunks[0].rows : chunks.flatMap(\.rows)
    return panel
  }

  /// The row of an identity, or `nil` where there is none.
  public subscript(id: PanelRow.ID) -> PanelRow? {
    if let plain { return (plain.top + plain.networks).first { $0.id == id } }
    if let row = top.first(where: { $0.id == id }) { return row }
    return place(of: id).map { chunks[$0.chunk].rows[$0.index] }
  }

  /// Applies one difference.
  ///
  /// - Precondition: the rows that it names are there.
  public mutating func apply(_ change: PanelDiff) {
    if case .insert(let row, _) = change, plain == nil, self[row.id] != nil { plain = panel }
    guard plain == nil else { return plain?.apply(change) ?? () }
    switch change {
    case .insert(let row, let place): insert(row, at: place)
    case .remove(let id): remove(id)
    case .move(let id, let place): insert(remove(id), at: place)
    case .update(let row): update(row)
    }
  }

  /// Whether a row stands at a place already.
  package func stands(_ id: PanelRow.ID, at place: PanelDiff.Place) -> Bool {
    guard plain == nil, place.section == .networks, let (chunk, index) = self.place(of: id) else { return false }
    let ids = chunks[chunk].ids
    if place.before == id { return true }
    let next = index + 1 < ids.count ? ids[index + 1] : chunk + 1 < chunks.count ? chunks[chunk + 1].ids.first : nil
    return next == place.before
  }

  private mutating func insert(_ row: PanelRow, at place: PanelDiff.Place) {
    guard place.section == .networks else {
      guard let before = place.before else { return top.append(row) }
      guard let index = top.firstIndex(where: { $0.id == before }) else { missing(before) }
      return top.insert(row, at: index)
    }
    if let before = place.before {
      guard let (chunk, index) = self.place(of: before) else { missing(before) }
      insert(row, in: chunk, at: index)
    } else if chunks.isEmpty {
      chunks.append(Chunk(number: chunkCount, ids: [row.id], rows: [row]))
      numbers[row.id] = chunkCount
      chunkCount += 1
    } else {
      insert(row, in: chunks.count - 1, at: chunks[chunks.count - 1].rows.count)
    }
  }

  private mutating func insert(_ row: PanelRow, in chunk: Int, at index: Int) {
    chunks[chunk].ids.insert(row.id, at: index)
    chunks[chunk].rows.insert(row, at: index)
    numbers[row.id] = chunks[chunk].number
    guard chunks[chunk].rows.count > Self.capacity else { return }
    let half = chunks[chunk].rows.count / 2
    let tail = Chunk(number: chunkCount, ids: Array(chunks[chunk].ids[half...]), rows: Array(chunks[chunk].rows[half...]))
    chunkCount += 1
    chunks[chunk].ids.removeSubrange(half...)
    chunks[chunk].rows.removeSubrange(half...)
    chunks.insert(tail, at: chunk + 1)
    for id in tail.ids { numbers[id] = tail.number }
  }

  @discardableResult
  private mutating func remove(_ id: PanelRow.ID) -> PanelRow {
    if let index = top.firstIndex(where: { $0.id == id }) { return top.remove(at: index) }
    guard let (chunk, index) = place(of: id) else { missing(id) }
    numbers[id] = nil
    chunks[chunk].ids.remove(at: index)
    let row = chunks[chunk].rows.remove(at: index)
    if chunks[chunk].rows.isEmpty { chunks.remove(at: chunk) }
    return row
  }

  private mutating func update(_ row: PanelRow) {
    if let index = top.firstIndex(where: { $0.id == row.id }) {
      top[index] = row
    } else if let (chunk, index) = place(of: row.id) {
      chunks[chunk].rows[index] = row
    } else {
      missing(row.id)
    }
  }

  /// Where a row of section *networks* stands.
  private func place(of id: PanelRow.ID) -> (chunk: Int, index: Int)? {
    guard let number = numbers[id], let chunk = chunks.firstIndex(where: { $0.number == number }),
      let index = chunks[chunk].ids.firstIndex(of: id)
    else { return nil }
    return (chunk, index)
  }

  private func missing(_ id: PanelRow.ID) -> Never { preconditionFailure("HeadlessPanel: there is no row \(id)") }
}
