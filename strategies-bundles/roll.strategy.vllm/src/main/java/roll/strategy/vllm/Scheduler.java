package roll.strategy.vllm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part in the next step. Older requests go first: those that run get what they need, if
 * need be from the youngest, which lose their blocks and are recomputed later; what is left of the
 * step's tokens goes to those that wait.
 */
final class Scheduler {
  /** Newcomers are few if they are less than one in so many of those that run. */
  private static final int FEW = 8;

  private final EngineSettings settings;
  private final BlockPool pool;
  private final List<EngineRequest> running = new ArrayList<>();
  private final TreeSet<EngineRequest> preempted =
      new TreeSet<>(Comparator.comparingLong(EngineRequest::arrival));
  private final Deque<EngineRequest> waiting = new ArrayDeque<>();
  private long step;
  private boolean held;

  Scheduler(EngineSettings settings, BlockPool pool) {
    this.settings = settings;
    this.pool = pool;
  }

  /** One more waits, behind all others. */
  void add(EngineRequest sequence) {
    waiting.addLast(sequence);
  }

  /** Whether nobody is here. */
  boolean isEmpty() {
    return running.isEmpty() && preempted.isEmpty() && waiting.isEmpty();
  }

  int running() {
    return running.size();
  }

  /** How many wait, for the first time or again. */
  int waiting() {
    return waiting.size() + preempted.size();
  }

  /**
   * The next step: empty only if nobody is here. {@code statistics} counts what happens.
   *
   * @param together whether few newcomers wait for one step, so that more of them begin together
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

  /** Has {@code sequence} run, in the order of arrival: most come behind all others. */
  private void seat(EngineRequest sequence) {
    int place = running.size();
    while (place > 0 && running.get(place - 1).arrival() > sequence.arrival()) {
      place--;
    }
    running.add(place, sequence);
  }

  /** Whether all that run got what they need. */
  private boolean advanceRunning(StepPlan plan, EngineMetrics statistics) {
    for (int i = 0; i < running.size(); i++) {
      EngineRequest sequence = running.get(i);
      int count = Math.min(sequence.length() - sequence.computed(), room(plan));
      if (count == 0) {
        return false;
      }
      while (!reserve(sequence, count, plan)) {
        EngineRequest youngest = running.removeLast();
        preempt(youngest);
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

  /**
   * Gets {@code sequence} the blocks to write {@code count} tokens more; false if there are none.
   */
  private boolean reserve(EngineRequest sequence, int count, StepPlan plan) {
    List<Block> blocks = sequence.blocks();
    int begun = sequence.computed() / pool.blockSize();
    if (begun < blocks.size() && blocks.get(begun).readers > 1) {
      Block own = pool.take();
      if (own == null) {
        return false;
      }
      Block shared = blocks.set(begun, own);
      plan.copy(shared, own);
      pool.release(shared);
    }
    for (int missing = missing(sequence, count); missing > 0; missing--) {
      Block block = pool.take();
      if (block == null) {
        return false;
      }
      blocks.add(block);
    }
    return true;
  }

  private void preempt(EngineRequest sequence) {
    sequence.leave(pool, step - 1);
    preempted.add(sequence);
  }

  /** Lets {@code sequence} take part, if there are blocks and tokens for it. */
  private boolean admit(EngineRequest sequence, StepPlan plan, EngineMetrics statistics) {
    EngineRequest leader = plan.leader(sequence);
    if (leader != null) {
      leader.blocks().forEach(pool::share);
      sequence.follow(leader);
      plan.follow(sequence, leader);
      statistics.found(sequence.length(), sequence.length());
      return true;
    }
    if (room(plan) == 0) {
      return false;
    }
    int[] text = sequence.text();
    PrefixTree.Match match = pool.find(sequence.root(), text, text.length - 1, step);
    match.whole().forEach(pool::share);
    int found = match.whole().size() * pool.blockSize() + match.count();
    int count = Math.min(text.length - found, room(plan));
    int needed = Math.ceilDiv(found + count, pool.blockSize()) - match.whole().size();
    if (needed > pool.free()) {
      match.whole().reversed().forEach(pool::release);
      return false;
    }
    sequence.begin(match.whole(), found);
    Block partial = match.partial();
    if (partial != null) {
      Block own = taken(pool.take());
      sequence.blocks().add(own);
      plan.copy(partial, own);
    }
    reserve(sequence, count, plan);
    include(sequence, count, false, plan);
    statistics.found(text.length, found);
    return true;
  }

  /**
   * Has {@code plan}, which decodes, make up to {@code most} passes, if there are blocks for all
   * that may be written.
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
      needed += missing(part.sequence(), part.ahead(passes));
    }
    if (needed > pool.free()) {
      return;
    }
    for (StepPlan.Part part : plan.parts()) {
      reserve(part.sequence(), part.ahead(passes), plan);
    }
    plan.repeat(passes);
  }

  /** How many blocks {@code sequence} lacks to write {@code count} tokens more. */
  private int missing(EngineRequest sequence, int count) {
    int needed = Math.ceilDiv(sequence.computed() + count, pool.blockSize());
    return Math.max(0, needed - sequence.blocks().size());
  }

  /** The last token of {@code sequence} was computed by a further pass of this step. */
  void advance(EngineRequest sequence) {
    sequence.advance(1, pool, step);
  }

  private static Block taken(@Nullable Block block) {
    if (block == null) {
      throw new IllegalStateException("the pool has fewer blocks than it says");
    }
    return block;
  }

  /** {@code sequence} is written; its blocks are free. */
  void finish(EngineRequest sequence) {
    running.remove(sequence);
    sequence.leave(pool, step);
  }

  /** Takes out all that {@code chosen} names, wherever they are. */
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

  /** What is in the cache is of no use any more: all that run are recomputed. */
  void forget() {
    while (!running.isEmpty()) {
      EngineRequest last = running.removeLast();
      last.leave(pool, step);
      preempted.add(last);
    }
    pool.clear();
  }
}
