package roll.ui.control;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.option.UserException;
import roll.ui.run.RunDeletion;
import roll.ui.run.RunEntry;
import roll.ui.run.RunFolders;
import roll.ui.run.RunNotes;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;

/** Orders to the folders of runs: notes, archive, deletion. Access was checked before. */
public final class FolderEndpoints {
  private final RunFolders folders;

  /** Orders to the runs of {@code folders}. */
  public FolderEndpoints(RunFolders folders) {
    this.folders = folders;
  }

  /** Returns the endpoints by method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "POST /api/runs/{id}/notes", this::notes, "POST /api/runs/{id}/delete", this::delete);
  }

  private ApiAnswer notes(ApiRequest request) throws IOException {
    RunEntry entry = folders.find(request.part(0));
    BodyFields body = new BodyFields(request.json()).only(Set.of("note", "tags", "archived"));
    List<String> tags = body.texts("tags").stream().distinct().toList();
    if (tags.size() > RunNotes.MAX_TAGS
        || tags.stream().anyMatch(tag -> !tag.matches("[^\\s,]{1," + RunNotes.MAX_TAG + "}"))) {
      throw new UserException(
          "tags: expected at most %d of 1 to %d characters without spaces and commas"
              .formatted(RunNotes.MAX_TAGS, RunNotes.MAX_TAG));
    }
    RunNotes notes =
        new RunNotes(body.textUpTo("note", RunNotes.MAX_NOTE), tags, body.flag("archived"));
    notes.write(entry.folder());
    return new ApiAnswer.Json(notes);
  }

  /** Deletes the folder that the body names as well: an id alone may be one of an old page. */
  private ApiAnswer delete(ApiRequest request) throws IOException {
    RunEntry entry = folders.find(request.part(0));
    String named = new BodyFields(request.json()).only(Set.of("folder")).text("folder");
    if (!named.equals(entry.folder().toString())) {
      throw new UserException("folder: expected " + entry.folder() + ", found " + named);
    }
    RunDeletion.delete(entry);
    folders.forget(entry);
    return new ApiAnswer.Json(Map.of("line", "deleted " + entry.folder()));
  }
}
