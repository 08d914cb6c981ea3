package roll.runtime.config;

/**
 * A plugin that a configuration names.
 *
 * @param where the key that names it
 * @param kind namespace of its name, such as {@code roll.env}
 * @param name as the configuration has it
 */
public record NamedPlugin(String where, String kind, String name) {}
