package roll.api.loss;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;

/**
 * What all policy losses share: runs a {@link TokenLoss} over the trained tokens of an input and
 * adds it up with KL loss and entropy bonus,
 *
 * <pre>
 *   loss = Σ w · u · L + Σ w' (klCoefficient · K(ℓ − ℓ_ref) − entropyCoefficient · H)
 * </pre>
 *
 * with the weights {@code w'} of {@link TokenWeights}, which are also {@code w} unless the loss has
 * its own, and the weights {@code u} of {@link LossInput#IMPORTANCE}, 1 without. Masked cells are
 * not even read. One pass, no allocation but the two gradients (and means by turn).
 *
 * <p>Metrics have ROLL's names. Those that ROLL aggregates as a loss (pg_loss, kl_loss, clipfrac,
 * approxkl, policykl) have the loss's weights; the entropy, ratio_mean and a loss's extra means
 * count every trained token alike.
 */
public final class TokenPass {
  private static final List<String> COMMON =
      List.of(
          "actor/total_loss",
          "actor/pg_loss",
          "actor/clipfrac",
          "actor/approxkl",
          "actor/policykl",
          "actor/ratio_mean",
          "actor/entropy");
  private static final int KL_LOSS = COMMON.size();

  private final LossInput in;
  private final double[] termWeights;
  private double[] weights;
  private double @Nullable [] importance;
  private double @Nullable [] logRatios;
  private boolean meansByTurn;
  private List<String> extras = List.of();

  /** A pass over {@code in} with its aggregation and ratios of its {@code ratio_type}. */
  public TokenPass(LossInput in) {
    this.in = in;
    this.termWeights = TokenWeights.of(in);
    this.weights = termWeights;
    this.importance = in.columnOrNull(LossInput.IMPORTANCE);
    this.meansByTurn = in.settings().ratio() == RatioType.SEGMENT;
    this.logRatios =
        meansByTurn
            ? Ratios.turnMeans(in.offsets(), in.turns(), in.mask(), Ratios.drifts(in))
            : null;
  }

  /** Aggregates the loss of the policy (not KL and entropy) this way, whatever the settings say. */
  public TokenPass aggregated(Aggregation aggregation) {
    weights = TokenWeights.of(in.offsets(), in.mask(), aggregation, in.denominators());
    return this;
  }

  /** Uses each token's own ratio, whatever the settings say. */
  public TokenPass ratioOfToken() {
    logRatios = null;
    meansByTurn = false;
    return this;
  }

  /** Uses the geometric mean of each sample's ratios, whatever the settings say. */
  public TokenPass ratioOfSample() {
    logRatios = Ratios.sampleMeans(in.offsets(), in.mask(), Ratios.drifts(in));
    meansByTurn = false;
    return this;
  }

  /** Weighs all tokens of a sample alike: by the mean of their {@link LossInput#IMPORTANCE}. */
  public TokenPass importanceOfSample() {
    if (importance != null) {
      importance = Ratios.sampleMeans(in.offsets(), in.mask(), importance);
    }
    return this;
  }

  /** Also reports these means over all trained tokens, in the order of {@link Token#extra}. */
  public TokenPass withMeans(String... names) {
    extras = List.of(names);
    return this;
  }

  /** Runs {@code loss} over all trained tokens. */
  public LossResult evaluate(TokenLoss loss) {
    LossSettings settings = in.settings();
    boolean withKl = settings.klCoefficient() != 0;
    double[] reference = withKl ? in.column(Batch.REFERENCE_LOG_PROBS) : null;
    double each = 1.0 / Math.max(1, in.denominators().tokens());
    List<String> names = new ArrayList<>(COMMON);
    if (withKl) {
      names.add("actor/kl_loss");
    }
    int firstExtra = names.size();
    names.addAll(extras);
    Shares shares = new Shares(names);

    double[] byLogProb = new double[in.mask().length];
    double[] byEntropy = new double[in.mask().length];
    double[] byRatio = meansByTurn ? new double[in.mask().length] : byLogProb;
    Token token = new Token(extras.size());
    double most = Double.NEGATIVE_INFINITY;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < in.samples(); i++) {
      for (int t = in.offsets()[i]; t < in.offsets()[i + 1]; t++) {
        if (!in.mask()[t]) {
          continue;
        }
        boolean moves = open(token, t);
        loss.evaluate(token);
        double w = importance == null ? weights[t] : weights[t] * importance[t];
        byLogProb[t] = w * token.logProbSlope;
        byRatio[t] += moves ? w * token.ratioSlope : 0;

        double term = -settings.entropyCoefficient() * in.entropies()[t];
        byEntropy[t] = -termWeights[t] * settings.entropyCoefficient();
        if (reference != null) {
          double d = token.logProb - reference[t];
          double kl = settings.klPenalty().of(d);
          byLogProb[t] +=
              termWeights[t] * settings.klCoefficient() * settings.klPenalty().slope(d, kl);
          term += settings.klCoefficient() * kl;
          shares.add(KL_LOSS, termWeights[t] * kl);
        }

        shares.add(0, w * token.loss + termWeights[t] * term);
        shares.add(1, w * token.loss);
        shares.add(2, token.clipped ? weights[t] : 0);
        shares.add(3, termWeights[t] * token.drift * token.drift / 2);
        shares.add(4, termWeights[t] * token.drift);
        shares.add(5, each * token.ratio);
        shares.add(6, each * in.entropies()[t]);
        for (int k = 0; k < token.extras.length; k++) {
          shares.add(firstExtra + k, each * token.extras[k]);
        }
        most = Math.max(most, token.ratio);
        least = Math.min(least, token.ratio);
      }
      shares.endSample();
    }
    if (meansByTurn) {
      // a mean is its own adjoint: the gradient by each log-prob is the mean over the turn again
      double[] spread = Ratios.turnMeans(in.offsets(), in.turns(), in.mask(), byRatio);
      for (int t = 0; t < spread.length; t++) {
        byLogProb[t] += spread[t];
      }
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    shares.into(metrics);
    if (most >= least) {
      metrics.put("actor/ratio_max", most);
      metrics.put("actor/ratio_min", least);
    }
    return new LossResult(shares.total(0), byLogProb, byEntropy, metrics);
  }

  /** Fills in what is known of cell {@code t}; false where its ratio is held at a bound. */
  private boolean open(Token token, int t) {
    token.cell = t;
    token.advantage = in.advantages()[t];
    token.logProb = in.logProbs()[t];
    token.drift = token.logProb - in.oldLogProbs()[t];
    double logRatio = logRatios == null ? token.drift : logRatios[t];
    token.ratio = Math.exp(Math.clamp(logRatio, -Token.MAX_LOG_RATIO, Token.MAX_LOG_RATIO));
    token.clipped = false;
    return Math.abs(logRatio) < Token.MAX_LOG_RATIO;
  }
}
