package roll.api.preference;

import java.util.List;
import java.util.Set;
import roll.api.option.Option;

/**
 * Description of an objective for users and the pipeline.
 *
 * @param summary one phrase, for a list
 * @param formula one or more lines
 * @param paper its source
 * @param needs the parts of {@link PreferenceBatch} that it reads
 * @param options options of {@code objective_args}
 */
public record PreferenceInfo(
    String summary, String formula, String paper, Set<Need> needs, List<Option<?>> options) {
  /** A part of a batch that costs something, or that not all data has. */
  public enum Need {
    /** Preference need: pairs of answers to one prompt; otherwise each answer has a label. */
    PAIRS,
    /** Preference need: log-probs under the reference policy. */
    REFERENCE,
    /** Preference need: {@link PreferenceBatch#divergence}, which takes two more scorings. */
    DIVERGENCE,
    /** Preference need: scores of a reward model, which is trained, instead of log-probs. */
    SCORES
  }

  /** Describes an objective without needs and options. */
  public static PreferenceInfo of(String summary, String formula, String paper) {
    return new PreferenceInfo(summary, formula, paper, Set.of(), List.of());
  }

  /** Returns this description with other needs. */
  public PreferenceInfo needing(Need... all) {
    return new PreferenceInfo(summary, formula, paper, Set.of(all), options);
  }

  /** Returns this preference info with other options. */
  public PreferenceInfo withOptions(Option<?>... all) {
    return new PreferenceInfo(summary, formula, paper, needs, List.of(all));
  }
}
