package roll.worker.actor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.math.TokenWeights;

/** An unclipped importance-weighted loss that remembers what it was given. */
@NullMarked
final class Surrogate implements PolicyLoss {
  final List<LossInput> seen = new ArrayList<>();
  private final double scale;

  Surrogate(double scale) {
    this.scale = scale;
  }

  @Override
  public LossInfo info() {
    return LossInfo.of("surrogate", "−ρA", "none");
  }

  @Override
  public LossResult evaluate(LossInput input, Options options) {
    seen.add(input);
    double[] weights = TokenWeights.of(input);
    double[] gradient = new double[weights.length];
    double loss = 0;
    double most = 0;
    for (int t = 0; t < weights.length; t++) {
      if (input.layout().mask()[t]) {
        double ratio = Math.exp(input.policy().logProbs()[t] - input.policy().oldLogProbs()[t]);
        gradient[t] = -weights[t] * ratio * input.advantages()[t] * scale;
        loss += gradient[t];
        most = Math.max(most, ratio);
      }
    }
    Map<String, Double> metrics = Map.of("actor/pg_loss", loss, "actor/ratio_max", most);
    return new LossResult(loss, gradient, new double[weights.length], metrics);
  }
}
