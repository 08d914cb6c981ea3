package roll.api.env;

import java.util.Map;

/**
 * A task that is known before any episode of it is played.
 *
 * @param where its location for messages, such as {@code file:line}
 * @param facts its data, also in {@link Episode#facts}
 */
public record TaskInfo(String where, Map<String, Object> facts) {}
