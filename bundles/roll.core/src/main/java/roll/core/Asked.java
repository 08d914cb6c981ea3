package roll.core;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import roll.api.strategy.Calls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.worker.Task;

/** Who writes by asking a role for it, wherever that lives. */
record Asked(Crew crew, String role) implements Generator {
  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return Calls.then(
        crew.ask(role, new Task.Generate(requests)),
        result -> Objects.requireNonNull(result.generations(), "no generations"));
  }
}
