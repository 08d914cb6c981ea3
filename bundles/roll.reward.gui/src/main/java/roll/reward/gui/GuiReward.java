package roll.reward.gui;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/**
 * Compares a screen action with the known one: its kind, and its coordinates, text, keys or
 * direction.
 */
@Component(name = "roll.reward.gui")
@RollReward("gui_reward")
public final class GuiReward implements RewardFunction {
  private static final Set<String> POINTED =
      Set.of("click", "left_double", "right_single", "hover", "drag", "scroll");
  private static final Set<String> OTHERS =
      Set.of("type", "hotkey", "wait", "finished", "call_user");
  private static final double NEAR = 0.05 * Math.sqrt(2);
  private static final double ENOUGH_WORDS = 0.5;

  private static final Option<Integer> WIDTH =
      Option.integer("width", 1, 100_000, "size of the screen in pixels").withDefault(1920);
  private static final Option<Integer> HEIGHT =
      Option.integer("height", 1, 100_000, "size of the screen in pixels").withDefault(1080);

  /** The size of a screen in pixels. */
  private record Screen(double width, double height) {}

  @Override
  public String description() {
    return "0.8 for a correct action on the screen, and 0.2 for a well-formed one";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(WIDTH, HEIGHT, AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    Screen screen = new Screen(options.get(WIDTH), options.get(HEIGHT));
    return (episode, models) -> {
      // coordinates of the picture itself if the model saw it in another size
      String read = episode.answer();
      Optional<ScreenAction> done =
          ScreenAction.in(read == null ? episode.finalResponse() : read).filter(this::known);
      double accuracy =
          done.map(action -> accuracy(key.answers(episode), action, screen)).orElse(0.0);
      double format = done.isPresent() ? 1 : 0;
      return new Grade(
          0.8 * accuracy + 0.2 * format,
          Map.of("acc", accuracy, "format", format),
          done.map(ScreenAction::toString).orElse(null));
    };
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private boolean known(ScreenAction action) {
    return POINTED.contains(action.name()) || OTHERS.contains(action.name());
  }

  private static double accuracy(List<String> golds, ScreenAction done, Screen screen) {
    return golds.stream()
        .flatMap(gold -> ScreenAction.in(gold).stream())
        .filter(gold -> gold.name().equals(done.name()))
        .mapToDouble(gold -> arguments(gold, done, screen) ? 1 : 0.5)
        .max()
        .orElse(0);
  }

  private static boolean arguments(ScreenAction gold, ScreenAction done, Screen screen) {
    return switch (gold.name()) {
      case "drag" -> near("start_box", gold, done, screen) && near("end_box", gold, done, screen);
      case "scroll" -> same("direction", gold, done);
      case "hotkey" -> same("key", gold, done);
      case "type" -> f1(words(gold), words(done)) >= ENOUGH_WORDS;
      default -> !POINTED.contains(gold.name()) || near("start_box", gold, done, screen);
    };
  }

  private static boolean near(String key, ScreenAction gold, ScreenAction done, Screen screen) {
    var meant = gold.place(key, screen.width(), screen.height());
    var hit = done.place(key, screen.width(), screen.height());
    return meant.isPresent() && hit.isPresent() && meant.get().distance(hit.get()) <= NEAR;
  }

  private static boolean same(String key, ScreenAction gold, ScreenAction done) {
    return gold.text(key).strip().equalsIgnoreCase(done.text(key).strip());
  }

  private static List<String> words(ScreenAction action) {
    String text = action.text("content").toLowerCase(Locale.ROOT).strip();
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("\\s+"));
  }

  private static double f1(List<String> meant, List<String> typed) {
    List<String> left = new ArrayList<>(meant);
    long common = typed.stream().filter(left::remove).count();
    int words = meant.size() + typed.size();
    return words == 0 ? 1 : 2.0 * common / words;
  }
}
