package roll.worker.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.data.Layout;
import roll.api.model.Tokenizer;
import roll.api.strategy.TokenBatch;

/**
 * The samples of a batch in the tokens of another model, with the spans of text between places
 * where tokens of both end. The other model has no log-probs of the policy's tokens; this
 * approximates them by those of spans: each token of a span gets its log-prob at sampling time and
 * an equal part of the span's difference. Tokens outside spans that the policy wrote whole get no
 * difference, nor do those that its tokenizer would not choose for the text: such a spelling is
 * unlikely under the policy whatever the text, and its difference would teach it.
 */
final class TextSpans {
  /**
   * The tokens of a span, by cells of the two batches.
   *
   * @param end cell after the policy's last
   * @param otherEnd cell after the other model's last
   */
  private record Span(int first, int end, int otherFirst, int otherEnd) {}

  private final Batch batch;
  private final List<Span> spans = new ArrayList<>();
  private final TokenBatch others;

  /**
   * Reads {@code batch} with {@code other}.
   *
   * @param policy whose tokens the batch has
   * @param most tokens of a sample of the other model; what is behind them has no spans
   */
  TextSpans(Batch batch, Tokenizer policy, Tokenizer other, int most) {
    this.batch = batch;
    Layout layout = batch.layout();
    int[] start = other.encodePrompt("");
    int[] offsets = new int[layout.samples() + 1];
    List<int[]> samples = new ArrayList<>();
    for (int i = 0; i < layout.samples(); i++) {
      int from = layout.offsets()[i];
      int[] tokens = Arrays.copyOfRange(batch.tokens(), from, layout.offsets()[i + 1]);
      TokenEnds own = TokenEnds.of(policy, tokens);
      int[] read = other.refusal(own.text()) == null ? other.encode(own.text()) : new int[0];
      int[] sample =
          IntStream.concat(Arrays.stream(start), Arrays.stream(read)).limit(most).toArray();
      offsets[i + 1] = offsets[i] + sample.length;
      samples.add(sample);
      TokenEnds theirs = TokenEnds.of(other, read);
      if (theirs.size() == own.size() && theirs.text().equals(own.text())) {
        BitSet usual = usual(policy, own, tokens);
        align(own, theirs, usual, from, offsets[i] + start.length, offsets[i], offsets[i + 1]);
      }
    }
    int[] tokens = samples.stream().flatMapToInt(Arrays::stream).toArray();
    boolean[] scored = new boolean[tokens.length];
    for (Span span : spans) {
      Arrays.fill(scored, span.otherFirst(), span.otherEnd(), true);
    }
    others = new TokenBatch(offsets, tokens, scored);
  }

  /** Returns the tokens that {@code policy} would choose for the text. */
  private static BitSet usual(Tokenizer policy, TokenEnds own, int[] tokens) {
    BitSet usual = new BitSet();
    int[] chosen = policy.refusal(own.text()) == null ? policy.encode(own.text()) : new int[0];
    TokenEnds ends = TokenEnds.of(policy, chosen);
    int c = 0;
    for (int t = 0; t < tokens.length; t++) {
      while (c < chosen.length && ends.ends()[c] < own.ends()[t]) {
        c++;
      }
      usual.set(
          t,
          c < chosen.length
              && chosen[c] == tokens[t]
              && ends.start(c) == own.start(t)
              && ends.ends()[c] == own.ends()[t]);
    }
    return usual;
  }

  /** Adds the spans of a sample whose other tokens are those from {@code least} to {@code most}. */
  private void align(
      TokenEnds own, TokenEnds theirs, BitSet usual, int from, int otherFrom, int least, int most) {
    int first = 0;
    int otherFirst = 0;
    int o = 0;
    for (int t = 0; t < own.ends().length; t++) {
      int end = own.ends()[t];
      while (o < theirs.ends().length && theirs.ends()[o] < end) {
        o++;
      }
      if (o == theirs.ends().length || theirs.ends()[o] != end) {
        continue;
      }
      Span span = new Span(from + first, from + t + 1, otherFrom + otherFirst, otherFrom + o + 1);
      boolean written =
          IntStream.range(span.first(), span.end()).allMatch(c -> batch.layout().mask()[c]);
      boolean chosen = usual.nextClearBit(first) > t;
      if (written && chosen && span.otherFirst() > least && span.otherEnd() <= most) {
        spans.add(span);
      }
      first = t + 1;
      otherFirst = ++o;
    }
  }

  /** Returns the samples of the other model; the tokens of spans are scored. */
  TokenBatch others() {
    return others;
  }

  /** Returns the share of the policy's tokens that are in spans. */
  double share() {
    int inside = spans.stream().mapToInt(span -> span.end() - span.first()).sum();
    return (double) inside / Math.max(1, Arrays.stream(batch.layout().countBySample()).sum());
  }

  /**
   * Returns log-probs of the policy's tokens.
   *
   * @param logProbs of the other model, by cells of {@link #others}
   */
  double[] logProbs(double[] logProbs) {
    double[] sampled = batch.column(Batch.BEHAVIOR_LOG_PROBS);
    double[] found = batch.layout().column(t -> sampled[t]);
    for (Span span : spans) {
      double difference =
          Arrays.stream(logProbs, span.otherFirst(), span.otherEnd()).sum()
              - Arrays.stream(sampled, span.first(), span.end()).sum();
      for (int t = span.first(); t < span.end(); t++) {
        found[t] += difference / (span.end() - span.first());
      }
    }
    return found;
  }
}
