package roll.strategy.vllm;

import java.util.Map;
import java.util.TreeMap;

/** Metrics of the engine, with the names of ROLL and vLLM. */
final class EngineMetrics {
  private double usage;
  private int waiting;
  private int running;
  private long preemptions;
  private long looked;
  private long found;
  private long read;
  private long readOnce;
  private long steps;
  private long prefillTokens;
  private double prefillSeconds;
  private long decodeTokens;
  private double decodeSeconds;
  private double stepSeconds;
  private double nativeSeconds;
  private long requests;
  private double queueSeconds;
  private double longestQueue;
  private long firsts;
  private double firstSeconds;
  private double longestFirst;
  private long aborted;
  private long proposals;
  private long proposed;
  private long accepted;

  /** Records the state before a step. */
  void state(BlockPool pool, Scheduler scheduler) {
    usage = Math.max(usage, pool.used() / (double) pool.capacity());
    waiting = Math.max(waiting, scheduler.waiting());
    running = Math.max(running, scheduler.running());
  }

  /** Records a prefix cache query of {@code tokens} tokens with {@code hits} hits. */
  void found(int tokens, int hits) {
    looked += tokens;
    found += hits;
  }

  void preempted() {
    preemptions++;
  }

  /** Records that a sequence of {@code call} runs for the first time. */
  void admitted(RequestGroup call) {
    double seconds = call.seconds();
    requests++;
    queueSeconds += seconds;
    longestQueue = Math.max(longestQueue, seconds);
  }

  /** Records the first token of a sequence of {@code call}. */
  void begun(RequestGroup call) {
    double seconds = call.seconds();
    firsts++;
    firstSeconds += seconds;
    longestFirst = Math.max(longestFirst, seconds);
  }

  void aborted(int count) {
    aborted += count;
  }

  /**
   * Records the metrics of an engine step.
   *
   * @param further tokens computed by its passes after the first
   * @param seconds duration of the step
   * @param computing duration of the native call
   */
  void step(StepPlan plan, int further, double seconds, double computing) {
    steps++;
    stepSeconds += seconds;
    nativeSeconds += computing;
    int single = 0;
    int more = 0;
    for (StepPlan.Part part : plan.parts()) {
      if (part.count() - part.proposed() == 1 && part.from() > 0) {
        single++;
        more += part.proposed();
      }
    }
    int tokens = plan.tokens();
    int prefill = tokens - single - more;
    decodeTokens += single + further;
    prefillTokens += prefill;
    decodeSeconds += seconds * (single + more) / tokens;
    prefillSeconds += seconds * prefill / tokens;
  }

  /** Records the cached tokens that decoding sequences read in a step. */
  void decoded(EagerSteps.Reads reads) {
    read += reads.all();
    readOnce += reads.shared();
  }

  /** Records a step of a sequence with {@code offered} proposed tokens. */
  void speculated(int offered, int count) {
    proposals++;
    proposed += offered;
    accepted += count;
  }

  /** Returns the metrics, without those that have no data. */
  Map<String, Double> metrics() {
    Map<String, Double> metrics = new TreeMap<>();
    if (steps > 0) {
      metrics.put("vllm/kv_cache_usage_perc_max", usage);
      metrics.put("vllm/num_requests_waiting_max", (double) waiting);
      metrics.put("vllm/num_requests_running_max", (double) running);
      metrics.put("vllm/num_preemptions_max", (double) preemptions);
      metrics.put("vllm/num_requests_aborted", (double) aborted);
      metrics.put("vllm/prefix_cache_hit_rate", found / (double) Math.max(1, looked));
      metrics.put("vllm/shared_prefix_rate", readOnce / (double) Math.max(1, read));
      metrics.put("vllm/steps", (double) steps);
      metrics.put("vllm/tokens_per_step", (prefillTokens + decodeTokens) / (double) steps);
      metrics.put("vllm/step_overhead", 1 - nativeSeconds / stepSeconds);
      rate(metrics, "vllm/prefill_tokens_per_second", prefillTokens, prefillSeconds);
      rate(metrics, "vllm/decode_tokens_per_second", decodeTokens, decodeSeconds);
    }
    if (proposals > 0) {
      metrics.put("vllm/spec_accepted_rate", accepted / (double) proposed);
      metrics.put("vllm/spec_tokens_per_step", 1 + accepted / (double) proposals);
    }
    if (requests > 0) {
      metrics.put("vllm/queue_seconds_mean", queueSeconds / requests);
      metrics.put("vllm/queue_seconds_max", longestQueue);
    }
    if (firsts > 0) {
      metrics.put("vllm/time_to_first_token_mean", firstSeconds / firsts);
      metrics.put("vllm/time_to_first_token_max", longestFirst);
    }
    return metrics;
  }

  private static void rate(Map<String, Double> to, String name, long tokens, double seconds) {
    if (tokens > 0 && seconds > 0) {
      to.put(name, tokens / seconds);
    }
  }
}
