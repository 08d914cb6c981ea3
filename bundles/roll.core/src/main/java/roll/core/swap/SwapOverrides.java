package roll.core.swap;

import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.plugin.ConfigReference;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.RegisteredKind;
import roll.text.Suggestion;

/** The configuration overrides that replace one plugin by another. */
final class SwapOverrides {
  private final RunConfig run;
  private final Plugins plugins;
  private final String from;
  private final String to;
  private final List<String> overrides = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final Set<String> used = new TreeSet<>();

  private SwapOverrides(RunConfig run, Plugins plugins, String from, String to) {
    this.run = run;
    this.plugins = plugins;
    this.from = from;
    this.to = to;
  }

  /**
   * Returns the overrides that change {@code run}.
   *
   * @param kind its name, or its namespace with or without the prefix {@code roll.}
   * @throws UserException if there is no such kind, {@code run} does not use {@code from}, or
   *     {@code to} is not registered
   */
  static SwapOverrides of(RunConfig run, Plugins plugins, String kind, String from, String to) {
    SwapOverrides swap = new SwapOverrides(run, plugins, from, to);
    try (PluginKinds kinds = PluginKinds.of(plugins)) {
      List<RegisteredKind<?>> called = kinds.called(kind);
      if (called.isEmpty()) {
        throw unknown(kind, kinds);
      }
      called.forEach(swap::replace);
    }
    if (swap.overrides.isEmpty()) {
      throw new UserException(
          "swap: the run uses no "
              + kind.replaceFirst("^roll\\.", "")
              + " '"
              + from
              + "' (it uses: "
              + (swap.used.isEmpty() ? "none" : String.join(", ", swap.used))
              + ")"
              + Suggestion.near(from, swap.used));
    }
    return swap;
  }

  private static UserException unknown(String kind, PluginKinds kinds) {
    Set<String> allowed = new LinkedHashSet<>();
    kinds.named().forEach(known -> allowed.add(known.name()));
    return new UserException(
        "swap: no kind '%s' (allowed: %s)%s"
            .formatted(kind, String.join(", ", allowed), Suggestion.near(kind, allowed)));
  }

  /** Returns the overrides as {@code key.path=value}. */
  List<String> overrides() {
    return List.copyOf(overrides);
  }

  /** Returns a notice for each option of the old plugin that is left out. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  private <S> void replace(RegisteredKind<S> kind) {
    for (ConfigReference place : kind.places().apply(run)) {
      if (place.replacement() == null) {
        continue;
      }
      used.add(place.named().name());
      if (place.named().name().equals(from)) {
        place
            .replacement()
            .overrides(to, kept(kind, place))
            .forEach((key, value) -> overrides.add(key + "=" + written(value)));
      }
    }
  }

  /** Returns the options at {@code place} that the new plugin also declares. */
  private <S> Map<String, Object> kept(RegisteredKind<S> kind, ConfigReference place) {
    Map<String, Object> kept = new LinkedHashMap<>(place.options());
    try (Lease<S> lease =
        plugins.require(place.named().where(), kind.kind().type(), kind.namespace(), to)) {
      List<Option<?>> known = kind.kind().options(lease.service());
      kept.keySet().retainAll(YamlOptions.names(known));
    }
    for (String name : place.options().keySet()) {
      if (!kept.containsKey(name)) {
        notices.add(place.optionsAt() + "." + name + ": left out, " + to + " has no such option");
      }
    }
    return kept;
  }

  private static String written(Object value) {
    return value instanceof String name ? name : json(value);
  }

  /** Returns {@code value} as JSON for an override, with interpolations escaped. */
  static String json(Object value) {
    return new Gson().toJson(value).replace("${", "\\\\${");
  }
}
