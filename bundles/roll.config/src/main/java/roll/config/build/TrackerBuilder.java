package roll.config.build;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.config.schema.Section;

/**
 * Normalizes {@code track_with} to a list of ids, and {@code tracker_kwargs} to a mapping by id.
 */
final class TrackerBuilder {
  private static final List<String> LATER = List.of("swanlab", "trackio");

  private TrackerBuilder() {}

  /** Makes {@code track_with} a list of ids and {@code tracker_kwargs} a mapping by id. */
  static void settle(Section run) {
    List<String> ids =
        run.texts("track_with").stream().map(id -> id.equals("stdout") ? "console" : id).toList();
    for (String id : ids) {
      if (LATER.contains(id)) {
        String where = run.where("track_with");
        throw new UserException(
            where.substring(0, where.length() - "track_with".length())
                + "'track_with: "
                + id
                + "' is not supported yet");
      }
    }
    if (ids.stream().distinct().count() < ids.size()) {
      throw run.wrong("track_with", "each tracker once");
    }
    run.settle("track_with", ids);
    Map<String, Object> options = run.mapping("tracker_kwargs");
    if (byId(options, ids)) {
      return;
    }
    if (ids.size() != 1) {
      throw new UserException(
          run.where("tracker_kwargs")
              + ": expected a mapping for each tracker ("
              + String.join(", ", ids)
              + "), found '"
              + String.join(", ", options.keySet())
              + "'");
    }
    run.settle("tracker_kwargs", Map.of(ids.getFirst(), options));
  }

  /** Returns {@code tracker_kwargs} by tracker id, after {@link #settle}. */
  static Map<String, Map<String, Object>> options(Section run) {
    Map<String, Map<String, Object>> byId = new LinkedHashMap<>();
    run.mapping("tracker_kwargs")
        .forEach(
            (id, options) -> {
              Map<String, Object> texts = new LinkedHashMap<>();
              ((Map<?, ?>) options).forEach((k, v) -> texts.put((String) k, v));
              byId.put(id, texts);
            });
    return byId;
  }

  private static boolean byId(Map<String, Object> options, List<String> ids) {
    return options.entrySet().stream()
        .allMatch(e -> ids.contains(e.getKey()) && e.getValue() instanceof Map<?, ?>);
  }
}
