package roll.huggingface;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import roll.api.config.LoraConfig;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.text.BoundedSearch;
import roll.text.Suggestion;

/**
 * Which projections of a model {@code lora_target} means. A name means every projection that is
 * called so or ends so behind a dot; {@code all-linear} means all; a text with one of {@code * $ |
 * (} is a regular expression of whole names. So ROLL reads the key, and PEFT {@code
 * target_modules}.
 */
public final class LoraTargets {
  private LoraTargets() {}

  /**
   * New adapters for {@code spec}.
   *
   * @param where key of the configuration that says what is adapted
   * @throws UserException if one of the targets means no projection, or is no regular expression
   */
  public static Adapter of(DecoderSpec spec, String where, LoraConfig lora) {
    List<String> projections = DecoderParameters.projections(spec);
    Set<String> modules = new LinkedHashSet<>();
    for (String target : lora.targets()) {
      Predicate<String> meant = meant(where, target);
      if (projections.stream().noneMatch(meant)) {
        List<String> names = projections.stream().map(LoraTargets::last).distinct().toList();
        throw new UserException(
            "%s: '%s' means no projection of the model (all-linear, %s)%s"
                .formatted(
                    where, target, String.join(", ", names), Suggestion.near(target, names)));
      }
      projections.stream().filter(meant).forEach(modules::add);
    }
    return new Adapter(lora.rank(), lora.alpha(), false, lora.dropout(), modules);
  }

  private static Predicate<String> meant(String where, String target) {
    if (Set.of("all-linear", "all").contains(target.toLowerCase(Locale.ROOT))) {
      return name -> true;
    }
    if (!target.matches("[^*$|(]*")) {
      try {
        Pattern pattern = Pattern.compile(target); // a checkpoint of others may bring it
        return name -> BoundedSearch.matches(pattern, name);
      } catch (PatternSyntaxException e) {
        throw new UserException(
            "%s: '%s' is not a regular expression: %s".formatted(where, target, e.getDescription()),
            e);
      }
    }
    return name -> name.equals(target) || name.endsWith("." + target);
  }

  /** The name of a projection without its layer. */
  static String last(String module) {
    return module.substring(module.lastIndexOf('.') + 1);
  }
}
