package roll.api.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

@NullMarked
class AsyncCallsTest {
  @Test
  void aResultIsPassedOnAndSoIsAFailure() {
    CompletableFuture<Integer> call = new CompletableFuture<>();
    CompletableFuture<Integer> twice = AsyncCalls.then(call, n -> 2 * n);
    assertFalse(twice.isDone());
    call.complete(21);
    assertEquals(42, twice.join());
    CompletableFuture<Integer> failed = CompletableFuture.failedFuture(new IllegalStateException());
    var failure = assertThrows(CompletionException.class, AsyncCalls.then(failed, n -> n)::join);
    assertTrue(failure.getCause() instanceof IllegalStateException);
  }

  @Test
  void cancellingWhatFollowsCancelsTheCall() {
    CompletableFuture<Integer> call = new CompletableFuture<>();
    CompletableFuture<Integer> last =
        AsyncCalls.then(AsyncCalls.then(call, n -> n + 1), n -> 2 * n);
    last.cancel(true);
    assertTrue(call.isCancelled());
  }

  @Test
  void aListenerIsNoHindrance() {
    CompletableFuture<List<Generation>> call = new CompletableFuture<>();
    Generator generator = requests -> call;
    generator.generate(List.of(), (index, token) -> {}).cancel(true);
    assertTrue(call.isCancelled());
    assertFalse(generator.continuous());
  }
}
