package roll.shell;

import java.util.List;
import java.util.Optional;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerGrader;

/** Right where the first letters are those of the known answer; how many is an option. */
public record PrefixGrader(int letters) implements AnswerGrader {
  private static final Option<Integer> LETTERS =
      Option.integer("letters", 1, 9, "letters compared").withDefault(1);

  @Override
  public List<Option<?>> options() {
    return List.of(LETTERS);
  }

  @Override
  public AnswerGrader configure(Options options) {
    return new PrefixGrader(options.get(LETTERS));
  }

  @Override
  public String description() {
    return "first letters";
  }

  @Override
  public boolean equal(String gold, String response) {
    return gold.regionMatches(0, response, 0, letters);
  }

  @Override
  public Optional<String> answer(String response) {
    return Optional.of(response);
  }
}
