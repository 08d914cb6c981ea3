package roll.rollout.action;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.plugin.OneShotTask;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.rollout.supervise.CarrierThreads;
import roll.runtime.tool.ToolArguments;

/**
 * Executes the tool calls of one episode. Errors are reported to the model and never fail the run:
 * unreadable calls, unknown tools, wrong arguments, too many calls, tools that throw or time out.
 */
public final class ToolExecutor implements AutoCloseable {
  private static final int REPLACEMENT = 0xFFFD;

  private final AgentTools kit;
  private final long seed;
  private final Map<String, ToolSet> sets = new HashMap<>();
  private final Map<String, ToolSchema> schemas = new LinkedHashMap<>();
  private final Map<ToolSet, ToolSession> sessions = new HashMap<>();
  private final CarrierThreads carriers = new CarrierThreads();
  private int count;

  /** The outcome of a tool call. */
  public enum End {
    /** Outcome of a tool call: the tool succeeded. */
    DONE,
    /** The tool failed, threw or timed out. */
    FAILED,
    /** Outcome of a tool call: the tool was not called. */
    REFUSED,
    /** Outcome of a tool call: the tool ended the episode. */
    FINISHED
  }

  /**
   * The result of a tool call with its outcome.
   *
   * @param tool name of the tool, as the model wrote it
   * @param observation text for the model
   */
  public record Outcome(String tool, String observation, End end) {}

  /** Creates an executor; {@code seed} is for tools that use random numbers. */
  public ToolExecutor(AgentTools kit, long seed) {
    this.kit = kit;
    this.seed = seed;
    for (ToolSet set : kit.sets()) {
      for (ToolSchema schema : set.tools()) {
        sets.put(schema.name(), set);
        schemas.put(schema.name(), schema);
      }
    }
  }

  /**
   * Executes the calls of one message, concurrently or in order. Calls after one that ends the
   * episode are dropped.
   *
   * @return the outcomes, in the order of the calls
   */
  public List<Outcome> execute(List<ToolCall> calls) throws InterruptedException {
    List<CompletableFuture<Outcome>> begun = new ArrayList<>();
    List<Outcome> made = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      CompletableFuture<Outcome> call = begin(calls.get(i), i);
      begun.add(call);
      if (!kit.config().parallel() && wait(call, calls.get(i)).end() == End.FINISHED) {
        break;
      }
    }
    for (int i = 0; i < begun.size(); i++) {
      made.add(wait(begun.get(i), calls.get(i)));
      if (made.getLast().end() == End.FINISHED) {
        break;
      }
    }
    return made;
  }

  private CompletableFuture<Outcome> begin(ToolCall call, int index) {
    String refusal = refusal(call, index);
    if (refusal != null) {
      return CompletableFuture.completedFuture(made(call, refusal, End.REFUSED));
    }
    count++;
    ToolSession session = session(call.tool());
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name("tool " + call.tool())
            .unstarted(new OneShotTask(() -> run(session, call, result)));
    var unused = result.whenComplete((made, failure) -> stop(thread, failure));
    thread.start();
    return result;
  }

  /** Starts the timeout only now: waiting for a processor does not count. */
  private void run(ToolSession session, ToolCall call, CompletableFuture<Outcome> result) {
    var unused =
        result.orTimeout((long) (kit.config().callTimeout() * 1000), TimeUnit.MILLISECONDS);
    result.complete(result(session, call));
  }

  private void stop(Thread thread, @Nullable Throwable failure) {
    if (failure != null) {
      carriers.replaceCarrierOf(thread);
      carriers.wake();
      thread.interrupt();
    }
  }

  private @Nullable String refusal(ToolCall call, int index) {
    if (call.problem() != null) {
      return call.problem();
    }
    ToolSchema schema = schemas.get(call.tool());
    if (schema == null) {
      return "There is no tool \"%s\". Available tools: %s."
          .formatted(call.tool(), String.join(", ", schemas.keySet()));
    }
    if (index >= kit.config().maxParallelCalls()) {
      return "Not called: a message may have %d tool calls at most."
          .formatted(kit.config().maxParallelCalls());
    }
    if (kit.config().maxCalls() > 0 && count >= kit.config().maxCalls()) {
      return "Not called: no more than %d tool calls are allowed."
          .formatted(kit.config().maxCalls());
    }
    return ToolArguments.problem(schema, call).orElse(null);
  }

  private ToolSession session(String tool) {
    ToolSet set = Objects.requireNonNull(sets.get(tool), tool);
    return sessions.computeIfAbsent(set, opened -> opened.open(seed));
  }

  /** Runs one tool call on its own thread. */
  private Outcome result(ToolSession session, ToolCall call) {
    try {
      ToolResult result = session.call(call.tool(), call.arguments());
      End end =
          switch (result.status()) {
            case SUCCESS -> End.DONE;
            case ERROR -> End.FAILED;
            case FINISH -> End.FINISHED;
          };
      return made(call, result.observation(), end);
    } catch (InterruptedException e) {
      return made(call, "The call was interrupted.", End.FAILED);
    } catch (Throwable e) { // a tool may throw anything
      return made(call, "Error: " + message(e), End.FAILED);
    }
  }

  private Outcome wait(CompletableFuture<Outcome> call, ToolCall asked)
      throws InterruptedException {
    try {
      return call.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException) {
        return made(
            asked,
            "Error: %s took longer than %s s.".formatted(asked.tool(), kit.config().callTimeout()),
            End.FAILED);
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      call.completeExceptionally(e); // interrupts the call's thread
      throw e;
    }
  }

  private static String message(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null ? thrown.getClass().getSimpleName() : message;
    } catch (Throwable e) { // getMessage of a tool's exception may throw too
      return thrown.getClass().getSimpleName();
    }
  }

  /** Replaces unpaired surrogates, which programs may print. */
  private static String text(String observation) {
    StringBuilder text = new StringBuilder(observation.length());
    observation
        .codePoints()
        .forEach(point -> text.appendCodePoint(half(point) ? REPLACEMENT : point));
    return text.toString();
  }

  private static boolean half(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }

  private Outcome made(ToolCall call, String observation, End end) {
    return new Outcome(call.tool(), text(ResultTruncation.of(kit.config(), observation)), end);
  }

  @Override
  public void close() {
    sessions.values().forEach(ToolSession::close);
  }
}
