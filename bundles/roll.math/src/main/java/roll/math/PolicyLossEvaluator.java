package roll.math;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.Layout;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;

/**
 * The common part of all policy losses: evaluates a {@link TokenLoss} for the trained tokens of an
 * input and aggregates it with KL loss and entropy bonus.
 *
 * <pre>
 *   loss = Σ w · u · L + Σ w' (klCoefficient · K(ℓ − ℓ_ref) − entropyCoefficient · H)
 * </pre>
 *
 * The weights {@code w'} are those of {@link TokenWeights}, which are also {@code w} unless the
 * loss has its own; the weights {@code u} are those of {@link LossInput#IMPORTANCE}, by default 1.
 * Masked tokens are never read. Makes one pass, and allocates only the two gradients (and means by
 * turn).
 *
 * <p>Metrics have ROLL's names; kl_loss is present if there is a reference. Those that ROLL
 * aggregates as a loss (pg_loss, kl_loss, clipfrac, approxkl, policykl) have the loss's weights;
 * the entropy, ratio_mean and a loss's extra means count every trained token alike.
 */
public final class PolicyLossEvaluator {
  private final LossInput in;
  private final Layout layout;
  private final double[] termWeights;
  private double[] weights;
  private double @Nullable [] importance;
  private double @Nullable [] logRatios;
  private boolean meansByTurn;
  private List<String> extras = List.of();

  /** Creates a pass over {@code in} with its aggregation and its {@code ratio_type}. */
  public PolicyLossEvaluator(LossInput in) {
    this.in = in;
    this.layout = in.layout();
    this.termWeights = TokenWeights.bySample(in);
    this.weights = termWeights;
    this.importance = in.columnOrNull(LossInput.IMPORTANCE);
    this.meansByTurn = in.settings().ratio() == RatioType.SEGMENT;
    this.logRatios = meansByTurn ? LogRatios.turnMeans(layout, LogRatios.logRatios(in)) : null;
  }

  /** Sets the aggregation of the policy loss (not of KL and entropy), overriding the settings. */
  public PolicyLossEvaluator aggregated(Aggregation aggregation) {
    weights = TokenWeights.bySample(in, aggregation);
    return this;
  }

  /** Uses each token's own ratio, overriding the settings. */
  public PolicyLossEvaluator ratioOfToken() {
    logRatios = null;
    meansByTurn = false;
    return this;
  }

  /** Uses the geometric mean of each sample's ratios, overriding the settings. */
  public PolicyLossEvaluator ratioOfSample() {
    logRatios = LogRatios.sampleMeans(layout, LogRatios.logRatios(in));
    meansByTurn = false;
    return this;
  }

  /** Weights all tokens of a sample equally, by the mean of their {@link LossInput#IMPORTANCE}. */
  public PolicyLossEvaluator importanceOfSample() {
    if (importance != null) {
      importance = LogRatios.sampleMeans(layout, importance);
    }
    return this;
  }

  /** Also reports these means over all trained tokens, in the order of {@link LossToken#extra}. */
  public PolicyLossEvaluator withMeans(String... names) {
    extras = List.of(names);
    return this;
  }

  /** Runs {@code loss} over all trained tokens. */
  public LossResult evaluate(TokenLoss loss) {
    double[] reference =
        in.settings().klCoefficient() == 0
            ? in.columnOrNull(Batch.REFERENCE_LOG_PROBS)
            : in.column(Batch.REFERENCE_LOG_PROBS);
    double[] byLogProb = new double[layout.size()];
    double[] byEntropy = new double[layout.size()];
    double[] byRatio = meansByTurn ? new double[layout.size()] : byLogProb;
    LossAccumulator shares =
        new LossAccumulator(in.settings(), in.denominators(), reference != null, extras);
    for (int i = 0; i < in.samples(); i++) {
      surrogate(i, loss, byLogProb, byRatio, shares);
      terms(i, reference, byLogProb, byEntropy, shares);
      shares.endSample(weights[i], termWeights[i]);
    }
    if (meansByTurn) {
      // a mean is its own adjoint: the gradient of each log-prob is again the mean over the turn
      double[] spread = LogRatios.turnMeans(layout, byRatio);
      for (int t = 0; t < spread.length; t++) {
        byLogProb[t] += spread[t];
      }
    }
    return shares.result(byLogProb, byEntropy);
  }

  /** Adds the policy loss of sample {@code i}. */
  private void surrogate(
      int i, TokenLoss loss, double[] byLogProb, double[] byRatio, LossAccumulator shares) {
    LossToken token = new LossToken(extras.size());
    for (int t : layout.policyTokens(i)) {
      boolean moves = open(token, t);
      loss.evaluate(token);
      double u = importance == null ? 1 : importance[t];
      byLogProb[t] = weights[i] * u * token.logProbSlope;
      byRatio[t] += moves ? weights[i] * u * token.ratioSlope : 0;
      shares.add(token, u);
    }
  }

  /** Adds KL loss and entropy bonus of sample {@code i}. */
  private void terms(
      int i,
      double @Nullable [] reference,
      double[] byLogProb,
      double[] byEntropy,
      LossAccumulator shares) {
    KlPenalty penalty = in.settings().klPenalty();
    double pull = termWeights[i] * in.settings().klCoefficient();
    double bonus = termWeights[i] * in.settings().entropyCoefficient();
    double entropy = 0;
    double divergence = 0;
    for (int t : layout.policyTokens(i)) {
      entropy += in.policy().entropies()[t];
      byEntropy[t] = -bonus;
      if (reference != null) {
        double d = in.policy().logProbs()[t] - reference[t];
        double kl = penalty.of(d);
        divergence += kl;
        byLogProb[t] += pull * penalty.slope(d, kl);
      }
    }
    shares.addTerms(entropy, divergence);
  }

  /** Sets the inputs of token {@code t}; returns false if its ratio is clamped. */
  private boolean open(LossToken token, int t) {
    token.cell = t;
    token.advantage = in.advantages()[t];
    token.logProb = in.policy().logProbs()[t];
    token.logRatio = token.logProb - in.policy().oldLogProbs()[t];
    token.clipped = false;
    return token.ratioOf(logRatios == null ? token.logRatio : logRatios[t]);
  }
}
