/// How a profile within a frame takes over elements of the frame (IEEE 802.11-2020 11.1.3.8 and
/// IEEE 802.11be 35.3.3).
enum ElementInheritance {
  /// The elements of a profile and those of the frame that hold for it too.
  ///
  /// An element of the frame holds unless the profile has one with the same number, or its Non-Inheritance element
  /// names it, or it is one of `own`. A Fragment that continues nothing holds for no profile, wherever it stands, as in
  /// Linux (`cfg80211_gen_new_ie`). Where the profile has elements with the number of one in the frame, all of them
  /// stand in its place. Further ones come last.
  ///
  /// - Parameters:
  ///   - frame: The elements of the frame.
  ///   - profile: The elements of the profile.
  ///   - own: Elements that are never taken over, because they speak of the frame itself.
  ///   - omitted: Elements of the profile that only describe it.
  /// - Returns: the elements, and those of them that are the frame's, where they stand in it.
  static func merge(
    frame: ElementList, profile: ElementList, own: [ElementID], omitted: [ElementID]
  ) -> (elements: ElementList, inherited: [Element]) {
    let omitted = omitted + [Fragment.elementID]
    let own = own + [Fragment.elementID]
    let nonInheritance = profile.all(NonInheritance.self).last
    var result = ElementList()
    var inherited: [Element] = []
    var replaced: [ElementID] = []
    for element in frame.elements {
      if profile.elements.contains(where: { $0.id == element.id }), !omitted.contains(element.id) {
        if replaced.contains(element.id) { continue }
        replaced.append(element.id)
        for own in profile.elements where own.id == element.id { result.append(own.value) }
      } else if !own.contains(element.id), nonInheritance?.excludes(element.id) != true {
        result.append(element.value)
        inherited.append(element)
      }
    }
    for element in profile.elements where !omitted.contains(element.id) && !replaced.contains(element.id) {
      result.append(element.value)
    }
    result.complaints = profile.complaints
    return (result, inherited)
  }
}
