package roll.loss.ppo;

import java.util.Objects;
import org.osgi.service.component.annotations.Component;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.api.loss.RollLoss;
import roll.api.loss.TokenWeights;

/**
 * The clipped surrogate of PPO (Schulman et al. 2017, eq. 7) with asymmetric bounds (DAPO, Yu et
 * al. 2025), dual clip (Ye et al. 2020, eq. 5), KL loss and entropy bonus, as in ROLL's actor:
 *
 * <pre>
 *   ρ = exp(ℓ − ℓ_old)                                   by token, or the turn's geometric mean
 *   L = −min(ρA, clip(ρ, 1 − clipLow, 1 + clipHigh) A)   where A &lt; 0: at most −dualClip · A
 *   K = exp(ℓ_ref − ℓ) − (ℓ_ref − ℓ) − 1                 k3 (Schulman 2020), at most 10
 *   loss = Σ w (L + klCoefficient · K − entropyCoefficient · H)
 * </pre>
 *
 * with the weights {@code w} of {@link TokenWeights}. Advantages, {@code ℓ_old} and {@code ℓ_ref}
 * are constants.
 */
@Component(name = "roll.loss.ppo")
@RollLoss("ppo")
public final class PpoLoss implements PolicyLoss {
  /** Beyond this log-ratio the ratio is held, so that exp never overflows (verl). */
  private static final double MAX_LOG_RATIO = 20;

  private static final double MAX_KL = 10;

  @Override
  public LossResult evaluate(LossInput in) {
    LossSettings settings = in.settings();
    int cells = in.mask().length;
    double[] w = TokenWeights.of(in);
    double[] drift = new double[cells];
    Trained.each(in, t -> drift[t] = in.logProbs()[t] - in.oldLogProbs()[t]);

    boolean byTurn = settings.ratio() == RatioType.SEGMENT;
    double[] logRatio = byTurn ? Trained.turnMeans(in, drift) : drift;
    double[] ratio = new double[cells];
    double[] surrogate = new double[cells];
    double[] slope = new double[cells];
    Trained.each(
        in,
        t -> {
          double advantage = in.advantages()[t];
          ratio[t] = Math.exp(Math.clamp(logRatio[t], -MAX_LOG_RATIO, MAX_LOG_RATIO));
          double free = ratio[t] * advantage;
          double clipped = PpoMetrics.clip(ratio[t], settings) * advantage;
          double least = dualBound(advantage, settings);
          surrogate[t] = -Math.max(Math.min(free, clipped), least);
          boolean moves = free <= clipped && free >= least && Math.abs(logRatio[t]) < MAX_LOG_RATIO;
          slope[t] = moves ? -w[t] * free : 0;
        });
    // A mean is its own adjoint: the gradient by each log-prob is the mean over the turn again.
    double[] logProbGradient = byTurn ? Trained.turnMeans(in, slope) : slope;

    double[] kl = new double[cells];
    double klCoefficient = settings.klCoefficient();
    if (klCoefficient != 0) {
      double[] reference = Objects.requireNonNull(in.referenceLogProbs(), "no reference log-probs");
      Trained.each(
          in,
          t -> {
            double above = reference[t] - in.logProbs()[t];
            double k3 = Math.exp(above) - above - 1;
            kl[t] = Math.min(k3, MAX_KL);
            logProbGradient[t] += k3 < MAX_KL ? w[t] * klCoefficient * (1 - Math.exp(above)) : 0;
          });
    }

    double entropyCoefficient = settings.entropyCoefficient();
    double[] entropyGradient = new double[cells];
    Trained.each(in, t -> entropyGradient[t] = -w[t] * entropyCoefficient);
    double loss =
        Trained.sum(
            in,
            t ->
                w[t]
                    * (surrogate[t]
                        + klCoefficient * kl[t]
                        - entropyCoefficient * in.entropies()[t]));
    return new LossResult(
        loss,
        logProbGradient,
        entropyGradient,
        new PpoMetrics(in, w, drift, ratio, surrogate, kl).shares(loss));
  }

  /** The least objective of a token. */
  private static double dualBound(double advantage, LossSettings settings) {
    Double bound = settings.dualClip();
    return advantage < 0 && bound != null ? bound * advantage : Double.NEGATIVE_INFINITY;
  }
}
