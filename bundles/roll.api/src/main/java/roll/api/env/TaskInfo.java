package roll.api.env;

import java.util.Map;

/**
 * What is known of a task before an episode of it is played.
 *
 * @param where it is written, for messages, such as {@code file:line}
 * @param facts what is written of it; {@link Episode#facts} has them too
 */
public record TaskInfo(String where, Map<String, Object> facts) {}
