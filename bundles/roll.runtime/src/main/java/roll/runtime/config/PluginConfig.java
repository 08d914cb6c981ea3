package roll.runtime.config;

import java.util.Map;

/**
 * A plugin of a kind that has no key of its own: an entry of {@code plugins}.
 *
 * @param kind as its {@link roll.runtime.plugin.RollKind} says
 * @param name of the plugin
 * @param options as written; the plugin checks them
 */
public record PluginConfig(String kind, String name, Map<String, Object> options) {}
