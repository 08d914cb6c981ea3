package roll.strategy.vllm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import roll.api.strategy.EngineLoad;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.speculation.NgramProposer;

/**
 * Schedules the sequences of each step, first come, first served: running sequences get the blocks
 * they need, if necessary by preempting the youngest, which are recomputed later; the remaining
 * token budget goes to waiting sequences.
 */
final class Scheduler {
  /** Waiting sequences are few if they are less than this fraction of the running ones. */
  private static final int FEW = 8;

  private final EngineSettings settings;
  private final BlockPool pool;
  private final KvCacheManager cache;
  private final List<EngineRequest> running = new ArrayList<>();
  private final TreeSet<EngineRequest> preempted =
      new TreeSet<>(Comparator.comparingLong(EngineRequest::arrival));
  private final Deque<EngineRequest> waiting = new ArrayDeque<>();
  private long step;
  private long preemptions;
  private boolean held;

  Scheduler(EngineSettings settings, BlockPool pool) {
    this.settings = settings;
    this.pool = pool;
    this.cache = new KvCacheManager(pool);
  }

  /** Adds a sequence that waits to be scheduled. */
  void add(EngineRequest sequence) {
    waiting.addLast(sequence);
  }

  /** Returns whether the scheduler has no sequences. */
  boolean isEmpty() {
    return running.isEmpty() && preempted.isEmpty() && waiting.isEmpty();
  }

  int running() {
    return running.size();
  }

  /** Returns the number of waiting sequences, including preempted ones. */
  int waiting() {
    return waiting.size() + preempted.size();
  }

  /** Returns the load at this moment. */
  EngineLoad load() {
    double cache = pool.used() / (double) pool.capacity();
    double slots = running.size() / (double) settings.maxSequences();
    return new EngineLoad(Math.max(cache, slots), waiting(), preemptions);
  }

  /**
   * Plans the next step, empty only if there are no sequences.
   *
   * @param together whether few waiting sequences wait one more step, so that more of them begin
   *     together
   */
  StepPlan plan(EngineMetrics statistics, boolean together) {
    step++;
    StepPlan plan = new StepPlan();
    boolean complete = advanceRunning(plan, statistics);
    held = together && !held && FEW * waiting() < running.size();
    while (complete && !held && running.size() < settings.maxSequences()) {
      EngineRequest next = preempted.isEmpty() ? waiting.peekFirst() : preempted.first();
      if (next == null || !admit(next, plan, statistics)) {
        break;
      }
      if (!preempted.remove(next)) {
        waiting.removeFirst();
      }
      seat(next);
      if (next.admit()) {
        statistics.admitted(next.call());
      }
    }
    return plan;
  }

  /** Inserts {@code sequence} into the running ones in the order of arrival, usually at the end. */
  private void seat(EngineRequest sequence) {
    int place = running.size();
    while (place > 0 && running.get(place - 1).arrival() > sequence.arrival()) {
      place--;
    }
    running.add(place, sequence);
  }

  /** Schedules the running sequences; returns whether none was preempted or left out. */
  private boolean advanceRunning(StepPlan plan, EngineMetrics statistics) {
    for (int i = 0; i < running.size(); i++) {
      EngineRequest sequence = running.get(i);
      int count = Math.min(sequence.length() - sequence.computed(), room(plan));
      if (count == 0) {
        return false;
      }
      while (!cache.reserve(sequence, count, plan)) {
        EngineRequest youngest = running.removeLast();
        preempt(youngest);
        preemptions++;
        statistics.preempted();
        if (youngest == sequence) {
          return false;
        }
      }
      include(sequence, count, true, plan);
    }
    return true;
  }

  private int room(StepPlan plan) {
    return settings.maxBatchedTokens() - plan.tokens();
  }

  private void include(EngineRequest sequence, int count, boolean again, StepPlan plan) {
    plan.add(sequence, count, again);
    sequence.advance(count, pool, step);
  }

  private void preempt(EngineRequest sequence) {
    sequence.leave(pool, step - 1);
    preempted.add(sequence);
  }

  /** Admits {@code sequence} if there are blocks and tokens for it. */
  private boolean admit(EngineRequest sequence, StepPlan plan, EngineMetrics statistics) {
    EngineRequest leader = plan.leader(sequence);
    if (leader != null) {
      cache.share(leader, sequence);
      plan.follow(sequence, leader);
      statistics.found(sequence.length(), sequence.length());
      return true;
    }
    int count = room(plan) == 0 ? 0 : cache.begin(sequence, room(plan), plan, step);
    if (count == 0) {
      return false;
    }
    statistics.found(sequence.length(), sequence.computed());
    include(sequence, count, false, plan);
    return true;
  }

  /**
   * Sets the number of passes of {@code plan}, which only decodes, to at most {@code most}, if
   * there are blocks for all of their tokens.
   */
  void lookAhead(StepPlan plan, int most) {
    int passes = most;
    int longest = 1;
    for (StepPlan.Part part : plan.parts()) {
      passes = Math.min(passes, part.sequence().response().slice());
      longest = Math.max(longest, part.sequence().response().remaining());
    }
    passes = Math.min(passes, longest);
    int needed = 0;
    for (StepPlan.Part part : plan.parts()) {
      needed += cache.missing(part.sequence(), part.ahead(passes));
    }
    if (needed > pool.free()) {
      return;
    }
    for (StepPlan.Part part : plan.parts()) {
      cache.reserve(part.sequence(), part.ahead(passes), plan);
    }
    plan.repeat(passes);
  }

  /**
   * Adds proposed tokens to the decoding sequences of {@code plan}, if there are blocks for them.
   */
  void speculate(StepPlan plan, NgramProposer proposer) {
    int rows = plan.tokens();
    for (int i = 0; i < plan.parts().size(); i++) {
      StepPlan.Part part = plan.parts().get(i);
      EngineRequest sequence = part.sequence();
      boolean begun = sequence.response().size() > 0; // before, followers share its last block
      if (!part.decodes() || !begun) {
        continue;
      }
      int blocks = sequence.blocks().size() + pool.free();
      int held = (int) Math.min(Integer.MAX_VALUE, (long) blocks * pool.blockSize());
      int most = Math.min(sequence.response().remaining() - 1, held - sequence.computed());
      int count = sequence.propose(proposer, rows, Math.min(most, room(plan)));
      if (count > 0) {
        cache.reserve(sequence, count, plan);
        plan.propose(i, count);
      }
    }
  }

  /** Counts the last token of {@code sequence}, computed by a further pass of this step. */
  void advance(EngineRequest sequence) {
    sequence.advance(1, pool, step);
  }

  /** Removes the finished {@code sequence} and frees its blocks. */
  void finish(EngineRequest sequence) {
    running.remove(sequence);
    sequence.leave(pool, step);
  }

  /** Removes and returns all waiting and running sequences that {@code chosen} selects. */
  List<EngineRequest> remove(Predicate<EngineRequest> chosen) {
    List<EngineRequest> removed = new ArrayList<>();
    for (EngineRequest sequence : List.copyOf(running)) {
      if (chosen.test(sequence)) {
        finish(sequence);
        removed.add(sequence);
      }
    }
    preempted.stream().filter(chosen).forEach(removed::add);
    preempted.removeIf(chosen);
    waiting.stream().filter(chosen).forEach(removed::add);
    waiting.removeIf(chosen);
    return removed;
  }

  /**
   * Invalidates the cache for all but the sequences whose response has begun, which continue with
   * theirs.
   */
  void keep() {
    for (EngineRequest sequence : List.copyOf(running)) {
      if (sequence.response().size() == 0) {
        running.remove(sequence);
        preempt(sequence);
      }
    }
    pool.renew();
    running.forEach(sequence -> sequence.detach(pool.unreachable()));
  }

  /** Invalidates the cache: all running sequences are recomputed. */
  void forget() {
    while (!running.isEmpty()) {
      EngineRequest last = running.removeLast();
      last.leave(pool, step);
      preempted.add(last);
    }
    pool.clear();
  }
}
