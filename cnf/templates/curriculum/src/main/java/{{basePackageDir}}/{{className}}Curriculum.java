package {{basePackageName}};

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.EnvironmentMix;
import roll.api.curriculum.RollCurriculum;
import roll.api.option.Option;
import roll.api.option.Options;

/** Moves from the first tag to the last in equal times, linearly from each to the next. */
@Component(name = "{{projectName}}")
@RollCurriculum("{{projectName}}")
public final class {{className}}Curriculum implements Curriculum {
  private static final Option<Integer> STEPS =
      Option.integer("steps", 1, 1_000_000, "when only the last tag is left").withDefault(100);

  /** The description that {@code services} shows. */
  @Override
  public String description() {
    return "moves from the first tag to the last by the number of the step";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(STEPS);
  }

  /** State between steps would be part of the mix; this curriculum only needs the step. */
  @Override
  public EnvironmentMix next(CurriculumProgress progress, Options options) {
    int last = progress.levels().size() - 1;
    double way = Math.min(1, (double) progress.step() / options.get(STEPS)) * last;
    int from = Math.min((int) way, Math.max(0, last - 1));
    Map<String, Double> shares = new LinkedHashMap<>();
    shares.put(progress.levels().get(from).tag(), last == 0 ? 1 : from + 1 - way);
    if (last > 0) {
      shares.put(progress.levels().get(from + 1).tag(), way - from);
    }
    return new EnvironmentMix(shares, Map.of());
  }
}
