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
 * Resolves {@code lora_target} to projections of a model. A name selects every projection with that
 * name, or ending with it after a dot; {@code all-linear} selects all; a text with one of {@code *
 * $ | (} is a regular expression of whole names. The same as ROLL, and {@code target_modules} of
 * PEFT.
 */
public final class LoraTargets {
  private LoraTargets() {}

  /**
   * Returns new low-rank adapters for the decoder {@code spec}.
   *
   * @param where configuration key, for messages
   * @throws UserException if one of the targets selects no projection, or is an invalid regular
   *     expression
   */
  public static Adapter of(DecoderSpec spec, String where, LoraConfig lora) {
    List<String> projections = DecoderParameters.projections(spec);
    Set<String> modules = new LinkedHashSet<>();
    for (String target : lora.targets()) {
      Predicate<String> meant = meant(where, target);
      if (projections.stream().noneMatch(meant)) {
        List<String> names = projections.stream().map(LoraTargets::last).distinct().toList();
        throw new UserException(
            "%s: '%s' selects no projection of the model (all-linear, %s)%s"
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
        Pattern pattern =
            Pattern.compile(target); // may come from the checkpoint of another library
        return name -> BoundedSearch.matches(pattern, name);
      } catch (PatternSyntaxException e) {
        throw new UserException(
            "%s: '%s' is not a regular expression: %s".formatted(where, target, e.getDescription()),
            e);
      }
    }
    return name -> name.equals(target) || name.endsWith("." + target);
  }

  /** Returns the name of a projection without its layer. */
  static String last(String module) {
    return module.substring(module.lastIndexOf('.') + 1);
  }
}
