package roll.runtime.config;

import java.util.Map;

/**
 * Who says which share of the training groups plays which tag ({@code curriculum}).
 *
 * @param type id of the curriculum service
 * @param options beside it, as written; the curriculum checks them
 */
public record CurriculumConfig(String type, Map<String, Object> options) {}
