package roll.runtime.config;

import java.util.Map;

/**
 * The curriculum, which decides the share of each tag among the training groups ({@code
 * curriculum}).
 *
 * @param type id of the curriculum service
 * @param options as written; checked by the curriculum
 */
public record CurriculumConfig(String type, Map<String, Object> options) {}
