/// Keys in order, with a cost of insertion and removal that hardly depends on how many there are.
///
/// Chunks of at most 32 keys in an array of chunks: finding a place is two binary searches, changing it moves one
/// chunk. A list of 100,000 keys has some four thousand chunks.
public struct SortedRows<Key: Comparable> {
  @usableFromInline static var capacity: Int { 32 }

  @usableFromInline var chunks: [[Key]] = []

  @usableFromInline var size = 0

  /// The number of keys.
  @inlinable public var count: Int { size }

  /// No keys.
  @inlinable public init() {}

  /// The chunk where `key` is or belongs: the last one that does not begin behind it.
  @inlinable func chunk(for key: Key) -> Int {
    let next = chunks.partitioningIndex { $0[0] > key }
    return next == 0 ? 0 : next - 1
  }

  @inlinable func place(of key: Key, in chunk: [Key]) -> Int { chunk.partitioningIndex { $0 >= key } }

  /// Inserts a key that is not there yet and returns the one that now stands behind it, or `nil` at the end.
  @discardableResult @inlinable public mutating func insert(_ key: Key) -> Key? {
    size += 1
    guard !chunks.isEmpty else {
      chunks.append([key])
      return nil
    }
    let index = chunk(for: key)
    let place = place(of: key, in: chunks[index])
    chunks[index].insert(key, at: place)
    let next = place + 1 < chunks[index].count ? chunks[index][place + 1] : index + 1 < chunks.count ? chunks[index + 1][0] : nil
    if chunks[index].count > Self.capacity {
      let half = chunks[index].count / 2
      let tail = Array(chunks[index][half...])
      chunks[index].removeSubrange(half...)
      chunks.insert(tail, at: index + 1)
    }
    return next
  }

  /// The key that stands behind `key`, which need not be there, or `nil` at the end.
  @inlinable public func next(after key: Key) -> Key? {
    guard !chunks.isEmpty else { return nil }
    let index = chunk(for: key)
    var place = place(of: key, in: chunks[index])
    if place < chunks[index].count, chunks[index][place] == key { place += 1 }
    if place < chunks[index].count { return chunks[index][place] }
    return index + 1 < chunks.count ? chunks[index + 1][0] : nil
  }

  /// Removes a key; `false` where it is not there.
  @discardableResult @inlinable public mutating func remove(_ key: Key) -> Bool {
    guard !chunks.isEmpty else { return false }
    let index = chunk(for: key)
    let place = place(of: key, in: chunks[index])
    guard place < chunks[index].count, chunks[index][place] == key else { return false }
    chunks[index].remove(at: place)
    if chunks[index].isEmpty { chunks.remove(at: index) }
    size -= 1
    return true
  }
}

extension SortedRows: Sendable where Key: Sendable {}

extension SortedRows: Sequence {
  @inlinable public func makeIterator() -> FlattenSequence<[[Key]]>.Iterator { chunks.joined().makeIterator() }
}
