package roll.env.dataset;

import java.awt.image.BufferedImage;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Step;

/** An episode of one question and one answer. */
final class QuestionEpisode implements Episode {
  private final Question question;
  private String response = "";
  private boolean over;

  QuestionEpisode(Question question) {
    this.question = question;
  }

  /** Returns the question, also after the answer. */
  @Override
  public String observation() {
    return question.text();
  }

  @Override
  public Observation observed() {
    return question.observation();
  }

  /** Returns the row's answer if it is a text. */
  @Override
  public Optional<String> expert() {
    return over ? Optional.empty() : question.answer();
  }

  @Override
  public Map<String, Object> facts() {
    return question.facts();
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    over = true;
    this.response = response;
    return new Step(observation(), 0, true, false);
  }

  @Override
  public Optional<BufferedImage> render() {
    return Optional.of(QuestionPicture.draw(question, response));
  }
}
