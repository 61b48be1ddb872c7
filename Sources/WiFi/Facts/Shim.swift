extension ElementList { var apName: String? { nil } }
