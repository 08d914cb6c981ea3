package roll.text.chat;

import java.util.Map;

/**
 * A domain of a data set's rows, as in ROLL's RLVR pipeline: the one in a row's field {@code
 * domain}, otherwise that of its {@code tag}, or {@code data_source} without a tag, otherwise
 * {@code math_rule}.
 *
 * @param name the domain
 * @param byTag domains by tag
 */
public record RowDomain(String name, Map<String, String> byTag) {
  private static final String STANDARD = "math_rule";

  /** Returns whether a row with {@code fields} is of this domain. */
  public boolean has(Map<String, ?> fields) {
    Object own = fields.get("domain");
    Object tag = fields.get("tag") == null ? fields.get("data_source") : fields.get("tag");
    return name.equals(own == null ? byTag.getOrDefault(String.valueOf(tag), STANDARD) : own);
  }
}
