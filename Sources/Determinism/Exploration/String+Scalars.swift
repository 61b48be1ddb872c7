extension String {
  /// The text with others in place of some of its scalars; `nil` leaves one as it is.
  ///
  /// Scalar by scalar: a sign with a combining character behind it is one character, and another one.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
