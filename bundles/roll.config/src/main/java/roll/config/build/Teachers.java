package roll.config.build;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import roll.api.option.UserException;
import roll.config.schema.Section;

/** The references of some tags: the entries of {@code teachers}. */
final class Teachers {
  /** Key of the teachers by name. */
  static final String KEY = "teachers";

  private static final String TAGS = "tag_included";
  private static final String REFERENCE = "reference";

  private final Section run;

  /** For {@code run}, whose environments are set. */
  Teachers(Section run) {
    this.run = run;
  }

  /**
   * Checks that teachers are asked for log-probs alone.
   *
   * @throws UserException if the vocabulary is compared
   */
  void checkDistributions() {
    boolean distills = run.has("distill");
    if (!run.sections(KEY).isEmpty() && (distills || run.text("kl_penalty").equals("full"))) {
      throw new UserException(
          "%s: expected none with %s, which compares distributions with those of one reference"
              .formatted(run.where(KEY), distills ? "distill" : "kl_penalty: full"));
    }
  }

  /**
   * Checks who scores which tag, and removes the reference where each has a teacher.
   *
   * @param unread receives the name of a key that has no effect if it is given, and the reason
   * @throws UserException if a tag has no reference or several
   */
  void settle(BiConsumer<String, String> unread) {
    if (run.sections(KEY).isEmpty()) {
      return;
    }
    Map<String, String> teachers = byTag();
    List<String> others =
        run.section("train_env_manager").texts("tags").stream()
            .filter(tag -> !teachers.containsKey(tag))
            .toList();
    if (others.isEmpty()) {
      unread.accept(REFERENCE, "each tag has a teacher");
      run.settle(REFERENCE, null);
    } else if (!ownModel(run.section(REFERENCE).section("model_args"))) {
      throw new UserException(
          "%s: no teacher has %s: add to a %s, or give reference.model_args a model of its own"
              .formatted(run.where(KEY), String.join(", ", others), TAGS));
    }
  }

  /** Returns the name of the teacher of each tag that has one. */
  private Map<String, String> byTag() {
    Set<String> known = run.sections("custom_envs").keySet();
    Map<String, String> teachers = new LinkedHashMap<>();
    run.sections(KEY)
        .forEach(
            (name, teacher) -> {
              if (teacher.texts(TAGS).isEmpty()) {
                throw teacher.wrong(TAGS, "at least one tag");
              }
              for (String tag : teacher.texts(TAGS)) {
                if (!known.contains(tag)) {
                  throw new UserException(
                      "%s: no environment '%s' in custom_envs (allowed: %s)"
                          .formatted(teacher.where(TAGS), tag, String.join(", ", known)));
                }
                String other = teachers.putIfAbsent(tag, name);
                if (other != null) {
                  throw new UserException(
                      "%s: %s is in that of %s.%s already: a tag has one teacher"
                          .formatted(teacher.where(TAGS), tag, KEY, other));
                }
              }
            });
    return teachers;
  }

  private static boolean ownModel(Section model) {
    return model.has("model_name_or_path") || model.has("adapter_name_or_path");
  }
}
