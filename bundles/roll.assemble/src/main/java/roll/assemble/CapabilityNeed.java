package roll.assemble;

/**
 * A capability that a distribution must provide.
 *
 * @param namespace of the capability
 * @param name value of its attribute named like the namespace
 * @param key configuration key and value that need it
 */
record CapabilityNeed(String namespace, String name, String key) {
  /** Returns the filter that the capability must match. */
  String filter() {
    return "(" + namespace + "=" + name.replaceAll("[\\\\*()]", "\\\\$0") + ")";
  }

  /** Returns the clause of the capability for bnd's {@code -runrequires}. */
  String clause() {
    return namespace + ";filter:='" + filter().replace("'", "\\'") + "'";
  }
}
