package roll.assemble;

/**
 * One thing a distribution must offer.
 *
 * @param namespace of the capability
 * @param name its value of the attribute that is called like the namespace
 * @param key who asks for it: a key of the configuration, with its value
 */
record Need(String namespace, String name, String key) {
  /** The filter a capability must match. */
  String filter() {
    return "(" + namespace + "=" + name.replaceAll("[\\\\*()]", "\\\\$0") + ")";
  }

  /** The same as bnd reads it in {@code -runrequires}. */
  String clause() {
    return namespace + ";filter:='" + filter().replace("'", "\\'") + "'";
  }
}
