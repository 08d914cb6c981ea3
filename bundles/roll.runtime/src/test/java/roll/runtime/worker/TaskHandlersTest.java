package roll.runtime.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import roll.api.memory.SessionMemory;

/** A worker made of handlers. */
class TaskHandlersTest {
  private final List<Path> saved = new ArrayList<>();
  private boolean closed;

  private final TaskHandlers handlers =
      new TaskHandlers("critic")
          .at(Task.Held.class, held -> TaskReply.of(List.of()))
          .at(Task.Measure.class, measure -> TaskReply.DONE.withMetrics(Map.of("a", 1.0)))
          .at(
              Task.Save.class,
              save -> {
                saved.add(save.folder());
                return TaskReply.DONE;
              });
  private final Worker worker = handlers.worker(() -> closed = true);

  @Test
  void eachTaskGoesToItsHandlerAndIsAnsweredWithItsType() {
    List<SessionMemory> held = worker.perform(new Task.Held()).join().value();
    assertEquals(List.of(), held);
    TaskReply<EmptyResult> measured = worker.perform(new Task.Measure()).join();
    assertEquals(Map.of("a", 1.0), measured.metrics());
    assertSame(TaskReply.DONE, worker.perform(new Task.Save(Path.of("x"))).join());
    assertEquals(List.of(Path.of("x")), saved);
    assertEquals(Map.of(), TaskReply.DONE.metrics());
  }

  @Test
  void aTaskWithoutHandlerIsRefusedByName() {
    CompletionException refused =
        assertThrows(
            CompletionException.class, () -> worker.perform(new Task.ShareWeights()).join());
    assertTrue(refused.getMessage().contains("critic has no part in ShareWeights"));
  }

  @Test
  void handlersAddedLaterAreAnotherWorkers() {
    Worker other =
        handlers
            .at(Task.Sleep.class, sleep -> TaskReply.DONE)
            .worker(() -> saved.add(Path.of("y")));
    assertSame(TaskReply.DONE, other.perform(new Task.Sleep()).join());
    assertTrue(worker.perform(new Task.Sleep()).isCompletedExceptionally());
    other.close();
    assertFalse(closed);
    worker.close();
    assertTrue(closed);
  }
}
